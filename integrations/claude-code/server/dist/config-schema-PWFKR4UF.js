import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e}from"./chunk-XTVMQO23.js";import"./chunk-IT6FSCCC.js";import"./chunk-RL3QNL2M.js";import"./chunk-JIAG4PFQ.js";export{c as configJsonSchema,a as configSchema,b as projectKeys,e as readSetting,d as settings};
