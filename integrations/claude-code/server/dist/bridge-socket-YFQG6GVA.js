import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-354KX5SM.js";import"./chunk-7XWRUPYE.js";import"./chunk-SEQX6JP7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
