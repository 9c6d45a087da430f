import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d}from"./chunk-2QR4OZGS.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as isUnavailable,b as problemOf,c as unavailableEmbedder,d as unavailableVectors};
