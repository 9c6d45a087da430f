import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{createContext as o,Script as i}from"node:vm";var c=new i("work()"),t;function T(n,r){try{return t??=o({}),t.work=n,c.runInContext(t,{timeout:r})}catch(e){if(e.code==="ERR_SCRIPT_EXECUTION_TIMEOUT")return;throw e}}export{T as a};
