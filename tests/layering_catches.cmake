# Proves that layering.cmake can fail: plants one wrong include at a time in a tree of its own and
# expects each to be named.
#
#   cmake -DSCRIPT=<layering.cmake> -DDIR=<scratch directory> -P layering_catches.cmake
cmake_minimum_required(VERSION 3.25)

function(plant file text)
    file(REMOVE_RECURSE ${DIR})
    file(WRITE ${DIR}/core/base/time.h "#include <cstdint>\n")
    file(WRITE ${DIR}/widgets/render/paint.cpp "#include \"core/base/time.h\"\n#include <QPainter>\n")
    file(WRITE ${DIR}/app/main.cpp "#include \"widgets/panes/pane.h\"\n#include \"main.moc\"\n")
    if(file)
        file(WRITE ${DIR}/${file} "${text}\n")
    endif()
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${DIR} -P ${SCRIPT}
        RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(rc ${rc} PARENT_SCOPE)
    set(said "${out}${err}" PARENT_SCOPE)
endfunction()

plant("" "")
if(NOT rc EQUAL 0)
    message(FATAL_ERROR "a good tree is refused:\n${said}")
endif()

set(wrong
    "core/base/a.cpp|#include <QString>"
    "core/base/a.h.in|#include <QtCore/qglobal.h>"
    "core/trace/a.h|#include \"widgets/state/view_state.h\""
    "core/trace/a.h|#include \"core/index/order.h\""
    "core/trace/a.h|#  include <core/table/table.h>"
    "core/index/a.cpp|#include \"core/analysis/operators.h\""
    "core/analysis/a.cpp|#include \"core/import/import.h\""
    "core/analysis/a.cpp|#include \"core/index/order.h\""
    "core/view/a.cpp|#include \"core/analysis/area.h\""
    "core/view/a.cpp|#include \"core/index/order.h\""
    "core/base/a.cpp|#include \"time.h\""
    "core/cache/a.h|#include <vector>"
    "core/a.h|#include <vector>"
    "widgets/state/a.h|#include \"app/settings.h\""
    "widgets/state/a.h|#include \"widgets/timeline/timeline_view.h\""
    "widgets/timeline/a.cpp|#include \"widgets/tables/table_view.h\""
    "widgets/tables/a.cpp|#include \"widgets/charts/pie_chart.h\""
    "widgets/charts/a.cpp|#include \"widgets/timeline/timeline_view.h\""
    "widgets/charts/a.cpp|#include \"widgets/panes/pane.h\""
    "widgets/jobs/a.cpp|#include \"widgets/state/view_state.h\""
    "widgets/render/a.cpp|#include \"widgets/state/view_state.h\""
    "widgets/odd/a.h|#include <vector>"
    "app/cli/a.cpp|#include \"widgets/state/view_state.h\""
    "app/cli/a.cpp|#include \"app/settings.h\""
)
foreach(entry IN LISTS wrong)
    string(REGEX MATCH "^([^|]*)\\|(.*)$" _ "${entry}")
    set(file ${CMAKE_MATCH_1})
    plant(${file} "${CMAKE_MATCH_2}")
    if(rc EQUAL 0 OR NOT said MATCHES "${file}: ")
        message(FATAL_ERROR "not caught: ${entry}\n${said}")
    endif()
endforeach()
file(REMOVE_RECURSE ${DIR})
list(LENGTH wrong n)
message(STATUS "${n} wrong includes, each caught")
