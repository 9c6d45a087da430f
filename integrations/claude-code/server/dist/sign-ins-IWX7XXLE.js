import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-SMRW7WTL.js";import"./chunk-J3KIF5N2.js";import"./chunk-7MUS3ZCD.js";import"./chunk-SU6XUJ6I.js";import"./chunk-OTBPZXS7.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
