import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-YEGY7R3H.js";import"./chunk-XZ5DPGSV.js";import"./chunk-7JMKYKEH.js";import"./chunk-YIJW6JQV.js";import"./chunk-ZNQKP566.js";import"./chunk-SU6XUJ6I.js";import"./chunk-OTBPZXS7.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
