import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var t=/\[SECRET_\d{1,9}\]/g,o="[SECRET_";export{t as a,o as b};
