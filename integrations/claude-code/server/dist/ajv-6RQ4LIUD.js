import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{e as a,f as o,g as r}from"./chunk-DRDGNFLA.js";import"./chunk-JIAG4PFQ.js";export{r as Ajv,o as AjvJsonSchemaValidator,a as addFormats};
