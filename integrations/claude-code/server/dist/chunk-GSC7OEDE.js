import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{statfsSync as i}from"node:fs";var o=1<<20;function e(t){let{bavail:n,bsize:s}=i(t);return n*s<o}export{e as a};
