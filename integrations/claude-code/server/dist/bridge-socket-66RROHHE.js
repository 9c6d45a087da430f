import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-SJ7KVWB3.js";import"./chunk-PBNREOYO.js";import"./chunk-XC3BJMXU.js";import"./chunk-2J5QN6RM.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
