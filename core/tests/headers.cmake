# The public headers as a user meets them: all in one file, twice in one program, and, where
# DEMOTIC_EACH_HEADER asks for it, each on its own. No precompiled header: it would supply what a
# header forgot to include.
set(include_folder ${PROJECT_SOURCE_DIR}/core/include)
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS RELATIVE ${include_folder} ${include_folder}/*.h)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/headers)

set(includes "")
set(lone_headers "")
foreach(header ${public_headers})
  string(APPEND includes "#include \"${header}\"\n")
  string(REPLACE "/" "." name ${header})
  file(CONFIGURE OUTPUT ${generated}/${name}.cpp CONTENT "#include \"${header}\"\n")
  list(APPEND lone_headers ${generated}/${name}.cpp)
endforeach()

list(LENGTH public_headers count)
foreach(name header_count header_count_again)
  set(constant "extern const int ${name};\nconst int ${name} = ${count};\n")
  file(CONFIGURE OUTPUT ${generated}/${name}.cpp
       CONTENT "${includes}namespace demotic::test {\n${constant}}\n")
  list(APPEND all_headers ${generated}/${name}.cpp)
endforeach()
set_source_files_properties(${all_headers} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
target_sources(core_tests PRIVATE ${all_headers})

if(DEMOTIC_EACH_HEADER)
  add_library(each_header OBJECT ${lone_headers})
  target_include_directories(each_header PRIVATE ${include_folder})
endif()
