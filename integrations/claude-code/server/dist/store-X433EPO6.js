import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-NN442EOM.js";import"./chunk-T7NGFGJM.js";import"./chunk-MBQY2BJQ.js";import"./chunk-XX6EP4UU.js";import"./chunk-JANWZMSY.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
