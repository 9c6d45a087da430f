import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-5C6NVOBP.js";import"./chunk-4SKHNWSW.js";import"./chunk-7JMKYKEH.js";import"./chunk-4S67QQO7.js";import"./chunk-D3UHKGMQ.js";import"./chunk-XC3BJMXU.js";import"./chunk-2J5QN6RM.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
