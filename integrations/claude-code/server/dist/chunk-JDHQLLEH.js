import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{c as r}from"./chunk-Q4URXU7R.js";import{e as o}from"./chunk-H66DS6TZ.js";import{randomBytes as i}from"node:crypto";function n(t,{port:e}){let m=r(t,o,Date.now,i);return{port:e,isKey:m.isLive}}export{n as a};
