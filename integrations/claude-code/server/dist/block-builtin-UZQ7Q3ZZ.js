import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-LJZKKKB3.js";import"./chunk-LW2TUYZO.js";import"./chunk-3DAZF76Z.js";import"./chunk-K2PRC2D3.js";import"./chunk-H66DS6TZ.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as blockBuiltin};
