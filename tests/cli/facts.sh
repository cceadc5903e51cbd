# Predicted occupancy needs nothing; compiled facts need the CUDA module, and say so where there is none.
try warpstudy facts --occupancy --registers 64 --block 64 --shared 0 --shared 24576 --shared 49152
try warpstudy facts --occupancy --registers 32 --registers 48 --format csv
try warpstudy facts --occupancy --set registers=40 --set shared_pad=1024 | head -3
try warpstudy facts --occupancy
try warpstudy facts --occupancy --set registers=40 --registers auto
try warpstudy facts --variant naiv
try warpstudy facts --registers 256
try warpstudy facts --arch sm_90
WARPSTUDY_CUDA_MODULE=/nowhere/warpstudy-cuda.so try warpstudy facts
