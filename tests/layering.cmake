# Checks every include line of core/, widgets/ and app/ against the arrows of the architecture.
#
#   cmake -DROOT=<tree> -P layering.cmake
#
# A layer is a folder. It may include itself and what the table lists after it. A folder that is not
# in the table fails too, so a new one has to say what it may see.
cmake_minimum_required(VERSION 3.25)

set(core_all core/base core/trace core/index core/import core/table core/analysis core/export core/view)
set(widgets_all widgets/state widgets/jobs widgets/render widgets/timeline widgets/tables widgets/charts widgets/panes)

set(allow_core/base)
set(allow_core/trace core/base)
set(allow_core/index core/base core/trace)
set(allow_core/import core/base core/trace core/index)
set(allow_core/table core/base core/trace)
set(allow_core/analysis core/base core/trace core/table)
set(allow_core/export core/base core/trace core/table core/analysis)
set(allow_core/view core/base core/trace)

set(allow_widgets/render ${core_all})
set(allow_widgets/jobs ${core_all})
set(allow_widgets/state ${core_all})
set(allow_widgets/timeline ${core_all} widgets/state widgets/jobs widgets/render)
set(allow_widgets/tables ${core_all} widgets/state)
set(allow_widgets/charts ${core_all} widgets/state)
set(allow_widgets/panes ${core_all} widgets/state widgets/jobs widgets/render widgets/timeline widgets/tables widgets/charts)

set(allow_app ${core_all} ${widgets_all})
set(allow_app/cli ${core_all} widgets/render)

set(layers ${core_all} ${widgets_all} app app/cli)

# The layer of a path relative to ROOT: app and app/cli, else its first two folders.
function(layer_of path out)
    if(path MATCHES "^app/cli/")
        set(${out} app/cli PARENT_SCOPE)
    elseif(path MATCHES "^app/[^/]*$")
        set(${out} app PARENT_SCOPE)
    elseif(path MATCHES "^([^/]+/[^/]+)/")
        set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    else()
        set(${out} "" PARENT_SCOPE)
    endif()
endfunction()

set(problems "")
set(count 0)
file(GLOB_RECURSE files RELATIVE ${ROOT}
    ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/core/*.in
    ${ROOT}/widgets/*.h ${ROOT}/widgets/*.cpp
    ${ROOT}/app/*.h ${ROOT}/app/*.cpp)
foreach(file IN LISTS files)
    math(EXPR count "${count} + 1")
    layer_of(${file} layer)
    if(NOT layer IN_LIST layers)
        list(APPEND problems "${file}: its folder is not in the table of tests/layering.cmake")
        continue()
    endif()
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]*)[>\"].*$" "\\1;\\2" parts "${line}")
        list(GET parts 0 quote)
        list(GET parts 1 target)
        if(layer MATCHES "^core/" AND target MATCHES "^Q")
            list(APPEND problems "${file}: includes ${target}: core has no Qt")
        elseif(target MATCHES "^(core|widgets|app)/")
            layer_of(${target} seen)
            if(NOT seen STREQUAL layer AND NOT seen IN_LIST allow_${layer})
                list(APPEND problems "${file}: includes ${target}: ${layer} does not see ${seen}")
            endif()
        elseif(quote STREQUAL "\"" AND NOT target MATCHES "\\.moc$|^ui_[a-z_]+\\.h$|^moc_[a-z_]+\\.cpp$")
            list(APPEND problems "${file}: includes \"${target}\": write the path from the top")
        endif()
    endforeach()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message("${text}")
    list(LENGTH problems n)
    message(FATAL_ERROR "${n} include lines against the arrows")
endif()
if(count EQUAL 0)
    message(FATAL_ERROR "no sources under ${ROOT}")
endif()
message(STATUS "${count} files keep to the arrows")
