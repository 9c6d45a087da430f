import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{existsSync as t}from"node:fs";import{dirname as i,join as e}from"node:path";function s(n){for(let r=n;;r=i(r)){if(t(e(r,".git")))return r;if(i(r)===r)return}}export{s as a};
