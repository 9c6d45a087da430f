/** The same phrases in German, French, Spanish and Chinese. */

import type { Concepts, Phrase } from './phrase-matcher.ts'

export const conceptsAbroad: Concepts = {
  FILE: /\.ssh|id_rsa|\.env$|\.aws|mcp\.json|\/etc\/passwd/,

  DE_TELL:
    'sag|sage|sagen|erzahl|erzahle|erzahlen|erwahne|erwahnen|verrate|verraten|zeige|zeigen|informiere|informieren|teile|teilen|melde',
  DE_USER: 'nutzer|nutzers|nutzern|benutzer|benutzers|benutzern|anwender|anwenders|anwendern|menschen',
  DE_NOT: 'nicht|nichts|niemals|nie|kein|keine|keinem',
  DE_READ: 'lies|lese|lesen|offne|offnen|kopiere|ubergib|ubergebe|fuge|sende|schicke|sammle|gib|nimm',
  DE_PRIVATE:
    'privaten schlussel|private schlussel|zugangsdaten|gesprachsverlauf|chatverlauf|umgebungsvariablen|passworter|systemprompt',

  FR_TELL:
    'dis|dites|dire|mentionne|mentionnez|mentionner|informe|informez|informer|revele|revelez|reveler|parle|parlez|montre|montrez|previens|prevenez|prevenir|demander',
  FR_READ:
    'lis|lisez|lire|ouvre|ouvrez|copie|copiez|envoie|envoyez|inclus|incluez|transmets|transmettez|recupere|recuperez',
  FR_PRIVATE:
    'cle privee|cles privees|identifiants|mots de passe|historique de conversation|historique de la conversation|variables environnement|la conversation',

  ES_TELL:
    'digas|diga|decir|menciones|mencione|mencionar|informes|informe|informar|reveles|revele|revelar|muestres|muestre|avises|avise|avisar|cuentes|cuente',
  ES_READ: 'lee|lea|leer|abre|abra|copia|copie|envia|envie|incluye|incluya|pasa|pase|recopila',
  ES_PRIVATE:
    'clave privada|claves privadas|credenciales|contrasenas|historial de conversacion|historial de la conversacion|variables de entorno|la conversacion',

  ZH_NOT: '不要|不得|切勿|请勿|別|别|禁止|无需|不能|不可|絕不|绝不',
  ZH_TELL: '告诉|告知|提及|透露|通知|说明|知道|提到|展示|泄露|告訴|提醒|察觉',
  ZH_USER: '用户|使用者|用戶',
  ZH_IGNORE: '忽略|无视|忘记|忘掉|不理会|不顾|無視|忘記',
  ZH_EARLIER: '之前|以前|先前|上述|以上|前面|所有|其他|原有|系统',
  ZH_INSTRUCTIONS: '指令|指示|说明|提示|规则|命令|要求|說明|規則',
  ZH_READ: '读取|打开|获取|复制|收集|查看|发送|上传|提供|附上|包含',
  ZH_PRIVATE: '私钥|密钥|凭据|凭证|密码|环境变量|对话历史|聊天记录|对话内容|系统提示',
  ZH_PUT: '参数|字段|发送|传|上传|作为|服务器|放|写|填|附',
}

export const steeringPhrasesAbroad: readonly Phrase[] = [
  {
    rule: 'secrecy',
    why: 'tells the agent to hide something from the user',
    sequences: [
      'DE_TELL 4 DE_USER 4 DE_NOT',
      'DE_TELL 3 DE_NOT 4 DE_USER',
      'DE_TELL 2 niemand|niemandem|keinem',
      'DE_USER darf|soll|muss 3 DE_NOT 3 erfahren|wissen|sehen|merken|mitbekommen',
      'ohne 4 DE_USER 3 informieren|fragen|sagen|mitzuteilen',
      'ne|n 1 FR_TELL 5 utilisateur',
      'sans 1 FR_TELL 4 utilisateur',
      'utilisateur ne doit|peut pas|jamais|rien',
      'no|nunca|jamas 2 ES_TELL 5 usuario',
      'sin que|decir|informar|avisar|preguntar|mencionar 4 usuario',
      'verheimliche|verheimlichen|verbirg|verberge|verbergen 4 DE_USER',
      'cache|cachez|cacher|dissimule|dissimulez 4 utilisateur',
      'oculta|oculte|ocultar|esconde|esconda 4 usuario',
      '隐瞒|瞒着|隐藏 6 ZH_USER',
      'ZH_NOT 4 ZH_TELL 4 ZH_USER',
      'ZH_NOT 3 ZH_USER 6 ZH_TELL',
    ],
  },
  {
    rule: 'override',
    why: 'tells the agent to replace its instructions',
    sequences: [
      'ignoriere|ignorieren|vergiss|vergessen|missachte|ubergehe 3 vorherige|vorherigen|bisherige|bisherigen|fruheren|obigen|anderen|vorigen 2 anweisung|anweisungen|instruktionen|regeln|vorgaben|befehle',
      'ignore|ignorez|ignorer|oublie|oubliez|oublier 3 instructions|consignes|directives|regles 2 precedentes|anterieures|ci-dessus|initiales',
      'ignora|ignore|ignorar|olvida|olvide|olvidar|descarta 4 instrucciones|indicaciones|reglas|ordenes|directrices 1 anteriores|previas|originales',
      'ZH_IGNORE 8 ZH_EARLIER 8 ZH_INSTRUCTIONS',
    ],
  },
  {
    rule: 'first-of-all',
    why: 'asks to be called before or after all other tools',
    sequences: [
      'bevor|ehe 4 andere|anderes|anderen|anderer|jedes werkzeug|werkzeuge|tool|tools',
      'vor|nach jedem|jeder|allen 2 werkzeug|werkzeugaufruf|tool|aufruf|werkzeugen|tools',
      'avant 4 autre|autres|tout|chaque outil|outils|appel',
      'antes de 2 otra|otro|cualquier|ninguna 1 herramienta|otra',
      '使用|调用 2 任何|所有|其他|其它 6 工具 4 之前|以前|前',
      '每次|必须 10 先|首先 调用|使用 此|本|该|这 1 工具',
    ],
  },
  {
    rule: 'private-data',
    why: 'asks for private files, keys or the conversation',
    sequences: [
      'DE_READ 6 FILE',
      'DE_READ 6 DE_PRIVATE',
      'FR_READ 6 FILE',
      'FR_READ 6 FR_PRIVATE',
      'ES_READ 6 FILE',
      'ES_READ 6 ES_PRIVATE',
      'ZH_READ 16 FILE 30 ZH_PUT',
      'ZH_READ 16 ZH_PRIVATE 30 ZH_PUT',
      '把|将 16 ZH_PRIVATE 16 ZH_PUT',
    ],
  },
]
