import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-BKHZY36W.js";import"./chunk-5B6N2GA4.js";import"./chunk-BE37WYE4.js";import"./chunk-J2XRNYGY.js";import"./chunk-7B5HIVDO.js";import"./chunk-WKWYCNKT.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
