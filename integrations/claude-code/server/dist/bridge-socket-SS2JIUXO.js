import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-QV32G2MZ.js";import"./chunk-ULK2XCN4.js";import"./chunk-MVEYQQY2.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
