import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{statfsSync as o}from"node:fs";var i=1<<20;function r(t){let{bavail:s,bsize:n}=o(t);return s*n<i}export{r as a};
