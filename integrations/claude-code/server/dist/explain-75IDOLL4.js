import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-D4VU4OKI.js";import"./chunk-IZIESLXT.js";import"./chunk-K3R4WSAB.js";import"./chunk-J2XRNYGY.js";import"./chunk-7B5HIVDO.js";import"./chunk-7XUZNNZA.js";import"./chunk-2GAKLH5Z.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
