import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-XC3Q2UGI.js";import"./chunk-LW2TUYZO.js";import"./chunk-4RVGVWBG.js";import"./chunk-K2PRC2D3.js";import"./chunk-H66DS6TZ.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as blockBuiltin};
