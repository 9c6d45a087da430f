import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesT: RuleSamples = {
  'tableau-personal-access-token': {
    secret: ['"personalAccessTokenSecret": "«{base64:22}==:{alnum:32}»"'],
    clean: ['"secret": "{base64:22}==:{alnum:12}"', 'if (a ==: b)'],
  },
  'tailscale-api-key': {
    secret: ['Authorization: Bearer «tskey-auth-k{alnum:11}CNTRL-{alnum:32}»'],
    clean: ['Authorization: Bearer tskey-auth'],
  },
  'tallyfy-api-key': {
    secret: ['tallyfy_api_key: «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    clean: ['tallyfy_api_key: eyJ{word:30}.{digits:6}', 'throw new Error("TALLYFY_API_KEY is not set")'],
  },
  'tatumio-api-key': {
    secret: ["const tatumio_api_key = '«t-{hex:24}-{hex:24}»'"],
    clean: ["const tatumio_api_key = 't-{hex:24}-{hex:12}'", 'TATUMIO_API_KEY=<your key>'],
  },
  'tavily-api-key': {
    secret: ['key: «tvly-dev-{alnum:32}» # rotate'],
    clean: ['key: tvly-dev-key # rotate'],
  },
  'taxjar-api-key': {
    secret: ['curl -H "taxjar-api-key: «{hex:32}»" https://api.example.com/v1'],
    clean: [
      'curl -H "taxjar-api-key: {hex:33}" https://api.example.com/v1',
      'const key = process.env.TAXJAR_API_KEY',
    ],
  },
  'teamworkcrm-api-key': { secret: ['(using «tkn.v1_{alnum:71}=»)'], clean: ['(using tkn.v1_{alnum:20})'] },
  'technicalanalysisapi-key': {
    secret: ['technicalanalysisapi-key = "«{upper:48}»"'],
    clean: [
      'technicalanalysisapi-key = "{upper:49}"',
      'throw new Error("TECHNICALANALYSISAPI_KEY is not set")',
    ],
  },
  'tefter-api-key': {
    secret: ['<add key="tefter_api_key" value="«{alnum:20}»" />'],
    clean: ['<add key="tefter_api_key" value="{alnum:19}" />', 'TEFTER_API_KEY=<your key>'],
  },
  'telegram-bot-api-token': {
    secret: [
      'https://api.telegram.org/bot«{digits:10}:AA{word:33}»/getMe',
      'TG = "«{digits:9}:AA{word:33}»"',
    ],
    clean: ['{digits:10}:AA{word:12}', '10:AAA'],
  },
  'telegram-bot-token': {
    secret: ['telegram_bot: "«{digits:9}:A{word:34}»"'],
    clean: ['telegram_bot: "{digits:9}:A{word:12}"', 'TELEGRAM_BOT_TOKEN=$TOKEN'],
  },
  'teletype-api-key': {
    secret: ['{\\"teletype_api_key\\":\\"«{word:43}»\\"}'],
    clean: ['{\\"teletype_api_key\\":\\"{word:16}\\"}', 'teletype_api_key is read from the vault'],
  },
  'telnyx-api-key': {
    secret: ['curl -u «KEY{HEX:32}_{alnum:22}»: https://api.example.com'],
    clean: ['curl -u KEY{HEX:32}: https://api.example.com'],
  },
  'temporal-cloud-api-key': {
    secret: ['"temporal_cloud_api_key": "«eyJ{word:30}.eyJ{word:60}.{word:43}»",'],
    clean: ['"temporal_cloud_api_key": "eyJ{word:30}.{digits:6}",', 'TEMPORAL_CLOUD_API_KEY=<your key>'],
  },
  'tencent-cloud-secret-id': {
    secret: ['TENCENT_CLOUD_SECRET_ID=«AKID{alnum:32}»'],
    clean: ['TENCENT_CLOUD_SECRET_ID=AKID{alnum:31}'],
  },
  'tencent-cloud-secret-key': {
    secret: ["const tencent_secret_key = '«{alnum:32}»'"],
    clean: ["const tencent_secret_key = '{alnum:33}'", 'const key = process.env.TENCENT_SECRET_KEY'],
  },
  'tenderly-access-key': {
    secret: ['export TENDERLY_ACCESS_KEY="«{alnum:32}»"'],
    clean: ['export TENDERLY_ACCESS_KEY="{alnum:31}"', 'tenderly_access_key is read from the vault'],
  },
  'theoddsapi-key': {
    secret: ['curl -H "the-odds-api-key: «{hex:32}»" https://api.example.com/v1'],
    clean: [
      'curl -H "the-odds-api-key: {hex:33}" https://api.example.com/v1',
      'throw new Error("THE_ODDS_API_KEY is not set")',
    ],
  },
  'thingsboard-access-token': {
    secret: ['ENV THINGSBOARD_ACCESS_TOKEN «{alnum:20}»', '{"provisionDeviceKey": "«{lower:20}»"}'],
    clean: ['ENV THINGSBOARD_ACCESS_TOKEN {alnum:19}', 'THINGSBOARD_ACCESS_TOKEN=<your key>'],
  },
  'thirdweb-secret-key': {
    secret: ['thirdweb-secret-key = "«{word:86}»"'],
    clean: ['thirdweb-secret-key = "{word:77}"', 'thirdweb_secret_key: ${THIRDWEB_SECRET_KEY}'],
  },
  'thunderstore-api-token': { secret: ['(using «tss_{alnum:33}»)'], clean: ['(using tss_{alnum:8})'] },
  'ticket-tailor-api-key': {
    secret: ['TICKET_TAILOR_API_KEY=«sk_{digits:4}_{digits:5}_{hex:32}»'],
    clean: ['TICKET_TAILOR_API_KEY=sk_{digits:4}_{hex:32}'],
  },
  'ticketmaster-api-key': {
    secret: ['os.environ["TICKETMASTER_API_KEY"] = "«{alnum:32}»"'],
    clean: [
      'os.environ["TICKETMASTER_API_KEY"] = "{alnum:31}"',
      'throw new Error("TICKETMASTER_API_KEY is not set")',
    ],
  },
  'tiingo-api-key': {
    secret: ['{\\"tiingo_api_key\\":\\"«{hex:40}»\\"}'],
    clean: ['{\\"tiingo_api_key\\":\\"{hex:41}\\"}', 'TIINGO_API_KEY=<your key>'],
  },
  'timecamp-api-key': {
    secret: ['TIMECAMP_API_KEY=«{hex:26}»'],
    clean: ['TIMECAMP_API_KEY={hex:25}', 'timecamp_api_key: ${TIMECAMP_API_KEY}'],
  },
  'timezoneapi-key': {
    secret: ['"timezoneapi_key": "«{alnum:20}»",'],
    clean: ['"timezoneapi_key": "{alnum:21}",', 'const key = process.env.TIMEZONEAPI_KEY'],
  },
  'tines-webhook-url': {
    secret: ['curl https://quiet-lake-4242.tines.com/webhook/«{hex:32}/{hex:32}»'],
    clean: ['https://quiet-lake-4242.tines.com/webhook/{hex:32}', 'https://www.tines.com/docs/webhook/'],
  },
  'tinify-api-key': {
    secret: ["const tinify_api_key = '«{alnum:32}»'"],
    clean: ["const tinify_api_key = '{alnum:33}'", 'throw new Error("TINIFY_API_KEY is not set")'],
  },
  'tinybird-api-token': {
    secret: ['TINYBIRD_API_TOKEN=«p.eyJ{word:80}.{word:43}»'],
    clean: ['TINYBIRD_API_TOKEN=p.eyJ{word:12}'],
  },
  'tly-api-key': {
    secret: ['TLY_API_KEY=«{alnum:60}»'],
    clean: ['TLY_API_KEY={alnum:61}', 'tly_api_key: ${TLY_API_KEY}'],
  },
  'tmdb-api-key': {
    secret: ['ENV TMDB_API_KEY «{hex:32}»'],
    clean: ['ENV TMDB_API_KEY {hex:31}', 'const key = process.env.TMDB_API_KEY'],
  },
  'tmetric-api-key': {
    secret: ['tmetric-api-key = "«{HEX:64}»"'],
    clean: ['tmetric-api-key = "{HEX:65}"', 'tmetric_api_key is read from the vault'],
  },
  'todoist-api-key': {
    secret: ['<add key="todoist_api_key" value="«{hex:40}»" />'],
    clean: [
      '<add key="todoist_api_key" value="{hex:39}" />',
      'throw new Error("TODOIST_API_KEY is not set")',
    ],
  },
  'togetherai-api-key': {
    secret: ['  - name: TOGETHER_API_KEY     value: «{hex:64}»', 'TOGETHER_API_KEY=«tgp_v1_{word:43}»'],
    clean: ['  - name: TOGETHER_API_KEY     value: {hex:65}', 'TOGETHER_API_KEY=<your key>'],
  },
  'toggl-track-api-key': {
    secret: ['os.environ["TOGGL_API_TOKEN"] = "«{hex:32}»"'],
    clean: ['os.environ["TOGGL_API_TOKEN"] = "{hex:31}"', 'toggl_api_token: ${TOGGL_API_TOKEN}'],
  },
  'tomtom-api-key': {
    secret: ['{\\"tomtom_api_key\\":\\"«{alnum:32}»\\"}'],
    clean: ['{\\"tomtom_api_key\\":\\"{alnum:33}\\"}', 'const key = process.env.TOMTOM_API_KEY'],
  },
  'tradier-api-key': {
    secret: ['TRADIER_API_KEY=«{alnum:28}»'],
    clean: ['TRADIER_API_KEY={alnum:27}', 'tradier_api_key is read from the vault'],
  },
  'transferwise-api-key': {
    secret: ['"transferwise_api_key": "«{uuid}»",'],
    clean: ['"transferwise_api_key": "{hex:36}",', 'throw new Error("TRANSFERWISE_API_KEY is not set")'],
  },
  'transifex-api-token': {
    secret: ['transifex_api_token: «1/{hex:40}»'],
    clean: ['transifex_api_token: 1/{hex:39}', 'TRANSIFEX_API_TOKEN=<your key>'],
  },
  'travelpayouts-api-key': {
    secret: ["const travelpayouts_api_key = '«{hex:32}»'"],
    clean: ["const travelpayouts_api_key = '{hex:33}'", 'travelpayouts_api_key: ${TRAVELPAYOUTS_API_KEY}'],
  },
  'travisci-access-token': {
    secret: ['export TRAVIS_TOKEN="«{word:22}»"'],
    clean: ['export TRAVIS_TOKEN="{word:13}"', 'const key = process.env.TRAVIS_TOKEN'],
  },
  'trello-access-token': {
    secret: [
      'curl -H "trello-access-token: «{hex:64}»" https://api.example.com/v1',
      'https://api.trello.com/1/members/me?key=«{hex:32}»',
    ],
    clean: [
      'curl -H "trello-access-token: {hex:65}" https://api.example.com/v1',
      'trello_access_token is read from the vault',
    ],
  },
  'trello-api-token': {
    secret: ['TRELLO_API_TOKEN=«ATTA{hex:64}{HEX:8}»'],
    clean: ['TRELLO_API_TOKEN=ATTA{hex:40}'],
  },
  'trigger-dev-api-key': {
    secret: ['Authorization: Bearer «tr_prod_{alnum:24}»'],
    clean: ['Authorization: Bearer tr_prod_{alnum:6}'],
  },
  'trongrid-api-key': {
    secret: ['<add key="trongrid_api_key" value="«{uuid}»" />'],
    clean: ['<add key="trongrid_api_key" value="{hex:36}" />', 'trongrid_api_key: ${TRONGRID_API_KEY}'],
  },
  'truenas-api-key': {
    secret: [
      '  - name: TRUENAS_API_KEY     value: «{digits:1}-{alnum:64}»',
      '{"method": "auth.login_with_api_key", "params": ["«12-{alnum:64}»"]}',
    ],
    clean: [
      '  - name: TRUENAS_API_KEY     value: {digits:1}-{alnum:32}',
      'const key = process.env.TRUENAS_API_KEY',
    ],
  },
  'turso-auth-token': {
    secret: ['os.environ["TURSO_AUTH_TOKEN"] = "«eyJ{word:30}.eyJ{word:60}.{word:43}»"'],
    clean: [
      'os.environ["TURSO_AUTH_TOKEN"] = "eyJ{word:30}.{digits:6}"',
      'turso_auth_token is read from the vault',
    ],
  },
  'twelvedata-api-key': {
    secret: ['{\\"twelvedata_api_key\\":\\"«{hex:32}»\\"}'],
    clean: ['{\\"twelvedata_api_key\\":\\"{hex:33}\\"}', 'throw new Error("TWELVEDATA_API_KEY is not set")'],
  },
  'twilio-api-id': { secret: ['(using «AC{hex:32}»)'], clean: ['(using AC{hex:31})'] },
  'twilio-api-key': { secret: ['TWILIO_API_KEY=«SK{hex:32}»'], clean: ['TWILIO_API_KEY=SK{hex:33}'] },
  'twilio-auth-token': {
    secret: ['twilio_auth_token: «{hex:32}»'],
    clean: ['twilio_auth_token: {hex:31}', 'const key = process.env.TWILIO_AUTH_TOKEN'],
  },
  'twitch-api-token': {
    secret: ["const twitch_api_token = '«{lower:30}»'", 'TMI_PASSWORD_TWITCH=oauth:«{lower:30}»'],
    clean: ["const twitch_api_token = '{lower:31}'", 'twitch_api_token is read from the vault'],
  },
  'twitter-access-secret': {
    secret: ['export TWITTER_ACCESS_SECRET="«{alnum:45}»"'],
    clean: [
      'export TWITTER_ACCESS_SECRET="{alnum:44}"',
      'throw new Error("TWITTER_ACCESS_SECRET is not set")',
    ],
  },
  'twitter-access-token': {
    secret: ['curl -H "twitter-access-token: «{digits:19}-{alnum:30}»" https://api.example.com/v1'],
    clean: [
      'curl -H "twitter-access-token: {digits:19}-{alnum:12}" https://api.example.com/v1',
      'TWITTER_ACCESS_TOKEN=<your key>',
    ],
  },
  'twitter-api-key': {
    secret: ['ENV TWITTER_API_KEY «{alnum:25}»'],
    clean: ['ENV TWITTER_API_KEY {alnum:24}', 'twitter_api_key: ${TWITTER_API_KEY}'],
  },
  'twitter-api-secret': {
    secret: ['twitter-api-secret = "«{alnum:50}»"'],
    clean: ['twitter-api-secret = "{alnum:51}"', 'const key = process.env.TWITTER_API_SECRET'],
  },
  'twitter-bearer-token': {
    secret: ['TWITTER_BEARER_TOKEN=«AAAAAAAAAAAAAAAAAAAAAA{alnum:30}%2B{alnum:50}%3D»'],
    clean: ['TWITTER_BEARER_TOKEN=AAAAAAAAAAAAAAAAAAAAAA{alnum:30}'],
  },
  'tyntec-api-key': {
    secret: ['  - name: TYNTEC_API_KEY     value: «{alnum:32}»'],
    clean: ['  - name: TYNTEC_API_KEY     value: {alnum:33}', 'throw new Error("TYNTEC_API_KEY is not set")'],
  },
  'typeform-api-token': {
    secret: ['{"token":"«tfp_{alnum:44}_{alnum:14}»"}'],
    clean: ['{"token":"tfp_{alnum:12}"}'],
  },
}
