import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-QTKALRQV.js";import"./chunk-CSV4JKLS.js";import"./chunk-4QY5K4AB.js";import"./chunk-J2XRNYGY.js";import"./chunk-7B5HIVDO.js";import"./chunk-7XUZNNZA.js";import"./chunk-WKWYCNKT.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
