from benchmarks.transformer import main

main()
