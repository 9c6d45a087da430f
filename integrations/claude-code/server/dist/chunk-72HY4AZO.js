import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{accessSync as r,constants as e}from"node:fs";function c(t){try{return r(t,e.X_OK),!0}catch{return!1}}export{c as a};
