#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct _nvrtcProgram *nvrtcProgram;
int nvrtcCreateProgram(nvrtcProgram*,const char*,const char*,int,const char*const*,const char*const*);
int nvrtcCompileProgram(nvrtcProgram,int,const char*const*);
int nvrtcGetCUBINSize(nvrtcProgram,size_t*);int nvrtcGetCUBIN(nvrtcProgram,char*);
int nvrtcGetProgramLogSize(nvrtcProgram,size_t*);int nvrtcGetProgramLog(nvrtcProgram,char*);
int main(int c,char**v){ // rtc out src opts...
 FILE*f=fopen(v[2],"rb");char*s=calloc(1,1<<20);fread(s,1,1<<20,f);fclose(f);
 nvrtcProgram p;nvrtcCreateProgram(&p,s,"k.cu",0,0,0);
 const char*o[64];int n=0;
 o[n++]="--gpu-architecture=sm_90";o[n++]="--fmad=false";o[n++]="-lineinfo";o[n++]="-std=c++17";o[n++]="-default-device";o[n++]="--ptxas-options=-v";o[n++]="-I.";
 for(int i=3;i<c;i++)o[n++]=v[i];
 int r=nvrtcCompileProgram(p,n,o);size_t z;nvrtcGetProgramLogSize(p,&z);char*l=malloc(z+1);nvrtcGetProgramLog(p,l);
 if(r){printf("%s\n",l);return 1;}
 char*q=strstr(l,"Used ");printf("%s: ",v[1]);if(q)printf("%.60s",q);char*w=strstr(l,"bytes stack");if(w){while(w>l&&w[-1]!='\n')w--;printf(" | %.*s",(int)strcspn(w,"\n"),w);}puts("");
 nvrtcGetCUBINSize(p,&z);char*b=malloc(z);nvrtcGetCUBIN(p,b);f=fopen(v[1],"wb");fwrite(b,1,z,f);fclose(f);return 0;}
