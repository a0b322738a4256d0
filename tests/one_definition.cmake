# Checks that no two headers define a type of the same name: all of them are in namespace ks, the linker would pick one
# of the two sets of inline functions, and nobody would be told.
#
#   cmake -DROOT=<tree> -P one_definition.cmake
cmake_minimum_required(VERSION 3.25)

set(problems "")
set(count 0)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/core/*.h ${ROOT}/widgets/*.h ${ROOT}/app/*.h)
foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "^(struct|class|enum class) [A-Z][A-Za-z0-9]*( |$)")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^(struct|class|enum class) ([A-Z][A-Za-z0-9]*).*$" "\\2" name "${line}")
        if(DEFINED home_${name})
            list(APPEND problems "${name}: in ${home_${name}} and in ${file}")
        else()
            set(home_${name} ${file})
            math(EXPR count "${count} + 1")
        endif()
    endforeach()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message("${text}")
    message(FATAL_ERROR "types of one name")
endif()
if(count EQUAL 0)
    message(FATAL_ERROR "no types under ${ROOT}")
endif()
message(STATUS "${count} types, each defined once")
