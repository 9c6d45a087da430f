import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-XISIFPCL.js";import"./chunk-3KCRH2EV.js";import"./chunk-MBQY2BJQ.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
