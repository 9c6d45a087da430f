import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-XUDZPNR2.js";import"./chunk-4ZX4MZXF.js";import"./chunk-VGEENSMO.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
