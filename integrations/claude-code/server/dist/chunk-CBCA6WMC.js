import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{lstatSync as t,readdirSync as n}from"node:fs";function o(r){try{return n(r).sort()}catch{return[]}}function a(r){try{return t(r,{throwIfNoEntry:!1})!==void 0}catch{return!1}}export{o as a,a as b};
