import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-52HDEDEI.js";import"./chunk-HAOI4LRF.js";import"./chunk-E5UWBZ54.js";import"./chunk-MVEYQQY2.js";import"./chunk-CH6L2XSM.js";import"./chunk-UGB4OXG6.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
