import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e,f}from"./chunk-56HOH4EG.js";import"./chunk-67UHRJIQ.js";import"./chunk-DWLYIU2H.js";import"./chunk-XX4KUJD4.js";import"./chunk-JIAG4PFQ.js";export{d as configJsonSchema,b as configSchema,c as projectKeys,a as providerUrlRule,f as readSetting,e as settings};
