import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-6G7J4BL4.js";import"./chunk-MU3J3YCX.js";import"./chunk-7JMKYKEH.js";import"./chunk-37MONOQY.js";import"./chunk-LTLZU7V4.js";import"./chunk-7S2FG5EH.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
