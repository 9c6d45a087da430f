import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-GXVZJJWB.js";import"./chunk-LW2TUYZO.js";import"./chunk-L5UBUKUF.js";import"./chunk-K2PRC2D3.js";import"./chunk-H66DS6TZ.js";import"./chunk-OTBPZXS7.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as blockBuiltin};
