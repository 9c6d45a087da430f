import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesT: RuleSamples = {
  'tableau-personal-access-token': {
    ok: ['"personalAccessTokenSecret": "«{base64:22}==:{alnum:32}»"'],
    bad: ['"secret": "{base64:22}==:{alnum:12}"', 'if (a ==: b)'],
  },
  'tailscale-api-key': {
    ok: ['Authorization: Bearer «tskey-auth-k{alnum:11}CNTRL-{alnum:32}»'],
    bad: ['Authorization: Bearer tskey-auth'],
  },
  'tallyfy-api-key': {
    ok: ['tallyfy_api_key: «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    bad: ['tallyfy_api_key: eyJ{word:30}.{digits:6}', 'throw new Error("TALLYFY_API_KEY is not set")'],
  },
  'tatumio-api-key': {
    ok: ["const tatumio_api_key = '«t-{hex:24}-{hex:24}»'"],
    bad: ["const tatumio_api_key = 't-{hex:24}-{hex:12}'", 'TATUMIO_API_KEY=<your key>'],
  },
  'tavily-api-key': { ok: ['key: «tvly-dev-{alnum:32}» # rotate'], bad: ['key: tvly-dev-key # rotate'] },
  'taxjar-api-key': {
    ok: ['curl -H "taxjar-api-key: «{hex:32}»" https://api.example.com/v1'],
    bad: [
      'curl -H "taxjar-api-key: {hex:33}" https://api.example.com/v1',
      'const key = process.env.TAXJAR_API_KEY',
    ],
  },
  'teamworkcrm-api-key': { ok: ['(using «tkn.v1_{alnum:71}=»)'], bad: ['(using tkn.v1_{alnum:20})'] },
  'technicalanalysisapi-key': {
    ok: ['technicalanalysisapi-key = "«{upper:48}»"'],
    bad: [
      'technicalanalysisapi-key = "{upper:49}"',
      'throw new Error("TECHNICALANALYSISAPI_KEY is not set")',
    ],
  },
  'tefter-api-key': {
    ok: ['<add key="tefter_api_key" value="«{alnum:20}»" />'],
    bad: ['<add key="tefter_api_key" value="{alnum:19}" />', 'TEFTER_API_KEY=<your key>'],
  },
  'telegram-bot-api-token': {
    ok: ['https://api.telegram.org/bot«{digits:10}:AA{word:33}»/getMe', 'TG = "«{digits:9}:AA{word:33}»"'],
    bad: ['{digits:10}:AA{word:12}', '10:AAA'],
  },
  'telegram-bot-token': {
    ok: ['telegram_bot: "«{digits:9}:A{word:34}»"'],
    bad: ['telegram_bot: "{digits:9}:A{word:12}"', 'TELEGRAM_BOT_TOKEN=$TOKEN'],
  },
  'teletype-api-key': {
    ok: ['{\\"teletype_api_key\\":\\"«{word:43}»\\"}'],
    bad: ['{\\"teletype_api_key\\":\\"{word:16}\\"}', 'teletype_api_key is read from the vault'],
  },
  'telnyx-api-key': {
    ok: ['curl -u «KEY{HEX:32}_{alnum:22}»: https://api.example.com'],
    bad: ['curl -u KEY{HEX:32}: https://api.example.com'],
  },
  'temporal-cloud-api-key': {
    ok: ['"temporal_cloud_api_key": "«eyJ{word:30}.eyJ{word:60}.{word:43}»",'],
    bad: ['"temporal_cloud_api_key": "eyJ{word:30}.{digits:6}",', 'TEMPORAL_CLOUD_API_KEY=<your key>'],
  },
  'tencent-cloud-secret-id': {
    ok: ['TENCENT_CLOUD_SECRET_ID=«AKID{alnum:32}»'],
    bad: ['TENCENT_CLOUD_SECRET_ID=AKID{alnum:31}'],
  },
  'tencent-cloud-secret-key': {
    ok: ["const tencent_secret_key = '«{alnum:32}»'"],
    bad: ["const tencent_secret_key = '{alnum:33}'", 'const key = process.env.TENCENT_SECRET_KEY'],
  },
  'tenderly-access-key': {
    ok: ['export TENDERLY_ACCESS_KEY="«{alnum:32}»"'],
    bad: ['export TENDERLY_ACCESS_KEY="{alnum:31}"', 'tenderly_access_key is read from the vault'],
  },
  'theoddsapi-key': {
    ok: ['curl -H "the-odds-api-key: «{hex:32}»" https://api.example.com/v1'],
    bad: [
      'curl -H "the-odds-api-key: {hex:33}" https://api.example.com/v1',
      'throw new Error("THE_ODDS_API_KEY is not set")',
    ],
  },
  'thingsboard-access-token': {
    ok: ['ENV THINGSBOARD_ACCESS_TOKEN «{alnum:20}»', '{"provisionDeviceKey": "«{lower:20}»"}'],
    bad: ['ENV THINGSBOARD_ACCESS_TOKEN {alnum:19}', 'THINGSBOARD_ACCESS_TOKEN=<your key>'],
  },
  'thirdweb-secret-key': {
    ok: ['thirdweb-secret-key = "«{word:86}»"'],
    bad: ['thirdweb-secret-key = "{word:77}"', 'thirdweb_secret_key: ${THIRDWEB_SECRET_KEY}'],
  },
  'thunderstore-api-token': { ok: ['(using «tss_{alnum:33}»)'], bad: ['(using tss_{alnum:8})'] },
  'ticket-tailor-api-key': {
    ok: ['TICKET_TAILOR_API_KEY=«sk_{digits:4}_{digits:5}_{hex:32}»'],
    bad: ['TICKET_TAILOR_API_KEY=sk_{digits:4}_{hex:32}'],
  },
  'ticketmaster-api-key': {
    ok: ['os.environ["TICKETMASTER_API_KEY"] = "«{alnum:32}»"'],
    bad: [
      'os.environ["TICKETMASTER_API_KEY"] = "{alnum:31}"',
      'throw new Error("TICKETMASTER_API_KEY is not set")',
    ],
  },
  'tiingo-api-key': {
    ok: ['{\\"tiingo_api_key\\":\\"«{hex:40}»\\"}'],
    bad: ['{\\"tiingo_api_key\\":\\"{hex:41}\\"}', 'TIINGO_API_KEY=<your key>'],
  },
  'timecamp-api-key': {
    ok: ['TIMECAMP_API_KEY=«{hex:26}»'],
    bad: ['TIMECAMP_API_KEY={hex:25}', 'timecamp_api_key: ${TIMECAMP_API_KEY}'],
  },
  'timezoneapi-key': {
    ok: ['"timezoneapi_key": "«{alnum:20}»",'],
    bad: ['"timezoneapi_key": "{alnum:21}",', 'const key = process.env.TIMEZONEAPI_KEY'],
  },
  'tines-webhook-url': {
    ok: ['curl https://quiet-lake-4242.tines.com/webhook/«{hex:32}/{hex:32}»'],
    bad: ['https://quiet-lake-4242.tines.com/webhook/{hex:32}', 'https://www.tines.com/docs/webhook/'],
  },
  'tinify-api-key': {
    ok: ["const tinify_api_key = '«{alnum:32}»'"],
    bad: ["const tinify_api_key = '{alnum:33}'", 'throw new Error("TINIFY_API_KEY is not set")'],
  },
  'tinybird-api-token': {
    ok: ['TINYBIRD_API_TOKEN=«p.eyJ{word:80}.{word:43}»'],
    bad: ['TINYBIRD_API_TOKEN=p.eyJ{word:12}'],
  },
  'tly-api-key': {
    ok: ['TLY_API_KEY=«{alnum:60}»'],
    bad: ['TLY_API_KEY={alnum:61}', 'tly_api_key: ${TLY_API_KEY}'],
  },
  'tmdb-api-key': {
    ok: ['ENV TMDB_API_KEY «{hex:32}»'],
    bad: ['ENV TMDB_API_KEY {hex:31}', 'const key = process.env.TMDB_API_KEY'],
  },
  'tmetric-api-key': {
    ok: ['tmetric-api-key = "«{HEX:64}»"'],
    bad: ['tmetric-api-key = "{HEX:65}"', 'tmetric_api_key is read from the vault'],
  },
  'todoist-api-key': {
    ok: ['<add key="todoist_api_key" value="«{hex:40}»" />'],
    bad: ['<add key="todoist_api_key" value="{hex:39}" />', 'throw new Error("TODOIST_API_KEY is not set")'],
  },
  'togetherai-api-key': {
    ok: ['  - name: TOGETHER_API_KEY     value: «{hex:64}»', 'TOGETHER_API_KEY=«tgp_v1_{word:43}»'],
    bad: ['  - name: TOGETHER_API_KEY     value: {hex:65}', 'TOGETHER_API_KEY=<your key>'],
  },
  'toggl-track-api-key': {
    ok: ['os.environ["TOGGL_API_TOKEN"] = "«{hex:32}»"'],
    bad: ['os.environ["TOGGL_API_TOKEN"] = "{hex:31}"', 'toggl_api_token: ${TOGGL_API_TOKEN}'],
  },
  'tomtom-api-key': {
    ok: ['{\\"tomtom_api_key\\":\\"«{alnum:32}»\\"}'],
    bad: ['{\\"tomtom_api_key\\":\\"{alnum:33}\\"}', 'const key = process.env.TOMTOM_API_KEY'],
  },
  'tradier-api-key': {
    ok: ['TRADIER_API_KEY=«{alnum:28}»'],
    bad: ['TRADIER_API_KEY={alnum:27}', 'tradier_api_key is read from the vault'],
  },
  'transferwise-api-key': {
    ok: ['"transferwise_api_key": "«{uuid}»",'],
    bad: ['"transferwise_api_key": "{hex:36}",', 'throw new Error("TRANSFERWISE_API_KEY is not set")'],
  },
  'transifex-api-token': {
    ok: ['transifex_api_token: «1/{hex:40}»'],
    bad: ['transifex_api_token: 1/{hex:39}', 'TRANSIFEX_API_TOKEN=<your key>'],
  },
  'travelpayouts-api-key': {
    ok: ["const travelpayouts_api_key = '«{hex:32}»'"],
    bad: ["const travelpayouts_api_key = '{hex:33}'", 'travelpayouts_api_key: ${TRAVELPAYOUTS_API_KEY}'],
  },
  'travisci-access-token': {
    ok: ['export TRAVIS_TOKEN="«{word:22}»"'],
    bad: ['export TRAVIS_TOKEN="{word:13}"', 'const key = process.env.TRAVIS_TOKEN'],
  },
  'trello-access-token': {
    ok: [
      'curl -H "trello-access-token: «{hex:64}»" https://api.example.com/v1',
      'https://api.trello.com/1/members/me?key=«{hex:32}»',
    ],
    bad: [
      'curl -H "trello-access-token: {hex:65}" https://api.example.com/v1',
      'trello_access_token is read from the vault',
    ],
  },
  'trello-api-token': {
    ok: ['TRELLO_API_TOKEN=«ATTA{hex:64}{HEX:8}»'],
    bad: ['TRELLO_API_TOKEN=ATTA{hex:40}'],
  },
  'trigger-dev-api-key': {
    ok: ['Authorization: Bearer «tr_prod_{alnum:24}»'],
    bad: ['Authorization: Bearer tr_prod_{alnum:6}'],
  },
  'trongrid-api-key': {
    ok: ['<add key="trongrid_api_key" value="«{uuid}»" />'],
    bad: ['<add key="trongrid_api_key" value="{hex:36}" />', 'trongrid_api_key: ${TRONGRID_API_KEY}'],
  },
  'truenas-api-key': {
    ok: [
      '  - name: TRUENAS_API_KEY     value: «{digits:1}-{alnum:64}»',
      '{"method": "auth.login_with_api_key", "params": ["«12-{alnum:64}»"]}',
    ],
    bad: [
      '  - name: TRUENAS_API_KEY     value: {digits:1}-{alnum:32}',
      'const key = process.env.TRUENAS_API_KEY',
    ],
  },
  'turso-auth-token': {
    ok: ['os.environ["TURSO_AUTH_TOKEN"] = "«eyJ{word:30}.eyJ{word:60}.{word:43}»"'],
    bad: [
      'os.environ["TURSO_AUTH_TOKEN"] = "eyJ{word:30}.{digits:6}"',
      'turso_auth_token is read from the vault',
    ],
  },
  'twelvedata-api-key': {
    ok: ['{\\"twelvedata_api_key\\":\\"«{hex:32}»\\"}'],
    bad: ['{\\"twelvedata_api_key\\":\\"{hex:33}\\"}', 'throw new Error("TWELVEDATA_API_KEY is not set")'],
  },
  'twilio-api-id': { ok: ['(using «AC{hex:32}»)'], bad: ['(using AC{hex:31})'] },
  'twilio-api-key': { ok: ['TWILIO_API_KEY=«SK{hex:32}»'], bad: ['TWILIO_API_KEY=SK{hex:33}'] },
  'twilio-auth-token': {
    ok: ['twilio_auth_token: «{hex:32}»'],
    bad: ['twilio_auth_token: {hex:31}', 'const key = process.env.TWILIO_AUTH_TOKEN'],
  },
  'twitch-api-token': {
    ok: ["const twitch_api_token = '«{lower:30}»'", 'TMI_PASSWORD_TWITCH=oauth:«{lower:30}»'],
    bad: ["const twitch_api_token = '{lower:31}'", 'twitch_api_token is read from the vault'],
  },
  'twitter-access-secret': {
    ok: ['export TWITTER_ACCESS_SECRET="«{alnum:45}»"'],
    bad: ['export TWITTER_ACCESS_SECRET="{alnum:44}"', 'throw new Error("TWITTER_ACCESS_SECRET is not set")'],
  },
  'twitter-access-token': {
    ok: ['curl -H "twitter-access-token: «{digits:19}-{alnum:30}»" https://api.example.com/v1'],
    bad: [
      'curl -H "twitter-access-token: {digits:19}-{alnum:12}" https://api.example.com/v1',
      'TWITTER_ACCESS_TOKEN=<your key>',
    ],
  },
  'twitter-api-key': {
    ok: ['ENV TWITTER_API_KEY «{alnum:25}»'],
    bad: ['ENV TWITTER_API_KEY {alnum:24}', 'twitter_api_key: ${TWITTER_API_KEY}'],
  },
  'twitter-api-secret': {
    ok: ['twitter-api-secret = "«{alnum:50}»"'],
    bad: ['twitter-api-secret = "{alnum:51}"', 'const key = process.env.TWITTER_API_SECRET'],
  },
  'twitter-bearer-token': {
    ok: ['TWITTER_BEARER_TOKEN=«AAAAAAAAAAAAAAAAAAAAAA{alnum:30}%2B{alnum:50}%3D»'],
    bad: ['TWITTER_BEARER_TOKEN=AAAAAAAAAAAAAAAAAAAAAA{alnum:30}'],
  },
  'tyntec-api-key': {
    ok: ['  - name: TYNTEC_API_KEY     value: «{alnum:32}»'],
    bad: ['  - name: TYNTEC_API_KEY     value: {alnum:33}', 'throw new Error("TYNTEC_API_KEY is not set")'],
  },
  'typeform-api-token': {
    ok: ['{"token":"«tfp_{alnum:44}_{alnum:14}»"}'],
    bad: ['{"token":"tfp_{alnum:12}"}'],
  },
}
