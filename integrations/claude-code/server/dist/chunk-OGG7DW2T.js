import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var e=["summary","context","full"],n={summary:200,context:2e3};export{e as a,n as b};
