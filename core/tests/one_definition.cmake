# Every object of the core and every header, linked as one program while the compiler compares the
# definitions of each name in all of them. Only GCC does this; elsewhere the test is skipped.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(reason "skipped: -Wodr needs GCC, and the compiler is ${CMAKE_CXX_COMPILER_ID}")
  add_custom_target(one_definition)
  add_test(NAME one_definition COMMAND ${CMAKE_COMMAND} -E echo ${reason})
  set_tests_properties(one_definition PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
  return()
endif()

add_executable(one_definition headers_test.cpp main.cpp ${all_headers}
                              $<TARGET_OBJECTS:demotic_core>)
target_include_directories(one_definition PRIVATE ${include_folder})
target_link_libraries(one_definition PRIVATE Threads::Threads)
foreach(target demotic_core one_definition)
  target_compile_options(${target} PRIVATE -flto=auto)
  # GCC takes the clones of a function for second definitions of it.
  target_compile_definitions(${target} PRIVATE DEMOTIC_NO_CLONES)
endforeach()
target_link_options(one_definition PRIVATE -flto=auto -Wodr -Wlto-type-mismatch
                                           -Werror=odr -Werror=lto-type-mismatch)
add_test(NAME one_definition COMMAND one_definition)
