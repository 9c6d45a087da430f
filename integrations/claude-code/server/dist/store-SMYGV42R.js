import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-KEWVH2M7.js";import"./chunk-F4GPYRXR.js";import"./chunk-7JMKYKEH.js";import"./chunk-VMM4YZA6.js";import"./chunk-7WXFAS72.js";import"./chunk-VGEENSMO.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
