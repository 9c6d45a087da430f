import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-M43SC4W5.js";import"./chunk-JTOWNSCD.js";import"./chunk-YPDF2P7S.js";import"./chunk-LYZROSOC.js";import"./chunk-LJVJMDDQ.js";import"./chunk-U6XOWDIY.js";import"./chunk-JIAG4PFQ.js";export{a as createPost};
