import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-UFMDAH45.js";import"./chunk-LR2KD576.js";import"./chunk-ZIH3H5W6.js";import"./chunk-TKJWSUPX.js";import"./chunk-TBTGSYTM.js";import"./chunk-YWRR5WYW.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsTrouble};
