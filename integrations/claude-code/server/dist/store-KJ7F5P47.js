import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{d as a}from"./chunk-FF4VKZME.js";import"./chunk-ZAPPOJRF.js";import"./chunk-Y7JADPB4.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
