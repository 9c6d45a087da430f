import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var e=["managed","cli","local","project","user"],n=["default","acceptEdits","plan","bypassPermissions"];export{e as a,n as b};
