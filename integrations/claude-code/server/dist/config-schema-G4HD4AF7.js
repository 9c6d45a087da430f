import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e}from"./chunk-IPB57FPJ.js";import"./chunk-WGQ46QRK.js";import"./chunk-DWLYIU2H.js";import"./chunk-XX4KUJD4.js";import"./chunk-JIAG4PFQ.js";export{c as configJsonSchema,a as configSchema,b as projectKeys,e as readSetting,d as settings};
