import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesNO: RuleSamples = {
  'nango-secret-key': { ok: ['TOKEN=«nango_secret_{alnum:40}»'], bad: ['nango_secret_key'] },
  'nasdaq-data-link-api-key': {
    ok: ['export QUANDL_API_KEY=«{word:20}»'],
    bad: ['quandl_api_key: {word:19}', 'quandl_api_key = os.environ["QUANDL_API_KEY"]'],
  },
  'neon-api-key': {
    ok: ['curl -H "Authorization: Bearer «napi_{lower:64}»" https://api.example.com/me'],
    bad: ['napi_{lower:20}', 'napi_get_value_string_utf8(env, argv[0], buf, size, &len)'],
  },
  'netlify-access-token': {
    ok: ['{"netlify": {"access_token": "«{word:43}»"}}'],
    bad: [
      'NETLIFY_ACCESS_TOKEN={word:40}',
      'const netlifyAccessToken = await vault.read("netlify_access_token")',
    ],
  },
  'netlify-api-key': {
    ok: ['{"auth":{"value":"«nfp_{alnum:40}»"}}'],
    bad: ['nfp_{alnum:20}', 'nfc_tag_reader_callback_registration_list'],
  },
  'new-relic-browser-api-token': {
    ok: ['deploy --with «NRJS-{hex:19}» --yes'],
    bad: ['GET /v1/items?key=NRJS-{hex:18}&limit=5 200', 'NRJS-{hex:21}'],
  },
  'new-relic-insert-key': {
    ok: ['GET /v1/items?key=«NRII-{word:32}»&limit=5 200'],
    bad: ["client = Client('NRII-{word:31}')", 'NRII-{word:34}'],
  },
  'new-relic-license-key': {
    ok: ['NEW_RELIC_LICENSE_KEY=«{hex:36}NRAL»', 'license_key: «eu01xx{hex:30}NRAL»'],
    bad: ['{hex:20}NRAL', 'general settings'],
  },
  'new-relic-query-key': {
    ok: ["client = Client('«NRIQ-{word:32}»')"],
    bad: ['[warn] retry with NRIQ-{word:31}, attempt 2', 'NRIQ-{word:34}'],
  },
  'new-relic-user-api-id': {
    ok: ['new_relic_user_api_id: «{alnum:64}»'],
    bad: ['NEW_RELIC_USER_API_ID="{alnum:66}"', 'API_KEY={alnum:64}'],
  },
  'new-relic-user-api-key': {
    ok: ['[warn] retry with «NRAK-{upper:27}», attempt 2'],
    bad: ['value: NRAK-{upper:26}', 'NRAK-{upper:29}'],
  },
  'newsapi-key': {
    ok: ["const newsapiKey = '«{hex:32}»'"],
    bad: ['newsapi_key: {hex:33}', 'newsapi_key = os.environ["NEWSAPI_KEY"]'],
  },
  'newscatcher-api-key': {
    ok: ['curl -H "X-Newscatcher-Api-Key: «{word:43}»" https://api.example.com/v1/me'],
    bad: [
      'newscatcher_api_key: {word:42}',
      'const newscatcherApiKey = await vault.read("newscatcher_api_key")',
    ],
  },
  'nftport-api-key': {
    ok: ['settings.nftport_api_key = "«{uuid}»"'],
    bad: ['NFTPORT_API_KEY="{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:14}"', 'API_KEY={uuid}'],
  },
  'ngrok-api-key': {
    ok: ['<add key="NgrokApiKey" value="«2{alnum:26}_{alnum:21}»" />'],
    bad: ['NGROK_API_KEY={alnum:20}_{alnum:8}', 'ngrok_api_key = os.environ["NGROK_API_KEY"]'],
  },
  'nicereply-api-key': {
    ok: ['  NICEREPLY_API_KEY: "«{hex:40}»" # rotated in May'],
    bad: ['nicereply_api_key: {hex:41}', 'const nicereplyApiKey = await vault.read("nicereply_api_key")'],
  },
  'nightfall-api-key': {
    ok: ['value: «NF-{alnum:32}»'],
    bad: ['use `NF-{alnum:31}` for staging', 'NF-{alnum:34}'],
  },
  'nimble-api-key': {
    ok: ['NimbleClient(nimble_api_key="«{alnum:30}»")'],
    bad: ['NIMBLE_API_KEY="{alnum:32}"', 'API_KEY={alnum:30}'],
  },
  'noticeable-api-key': {
    ok: ['$env:NOTICEABLE_API_KEY = "«{alnum:20}»"'],
    bad: ['noticeable_api_key: {alnum:21}', 'noticeable_api_key = os.environ["NOTICEABLE_API_KEY"]'],
  },
  'notion-api-token': {
    ok: ['use `«ntn_{digits:11}{alnum:35}»` for staging'],
    bad: ['ntn_{digits:11}{alnum:12}', 'ntn_{letters:46}'],
  },
  'notion-secret-key': {
    ok: ['<token>«secret_{alnum:43}»</token>'],
    bad: ['secret_{alnum:40}', 'secret_manager_rotation_schedule_expression_v2'],
  },
  'novita-api-key': {
    ok: ['-e NOVITA_API_KEY=«sk_{word:43}» -p 8080:80'],
    bad: ['NOVITA_API_KEY=sk_{word:20}', 'const novitaApiKey = await vault.read("novita_api_key")'],
  },
  'nozbe-teams-api-key': {
    ok: ['nozbe.teams.api.key=«{alnum:16}_{word:64}»'],
    bad: ['nozbe_teams_api_key: {alnum:16}_{word:63}', 'API_KEY={alnum:16}_{word:64}'],
  },
  'npm-access-token': {
    ok: ['TOKEN=«npm_{alnum:36}»'],
    bad: ['npm_{alnum:20}', 'npm_config_registry npm_package_scripts_test_integration_watch'],
  },
  'npm-access-token-old-format': {
    ok: ['{"name":"NPM_TOKEN","value":"«{uuid}»"}'],
    bad: ['npm_token: {hex:8}-{hex:4}-{hex:4}-{hex:12}', 'npm_token = os.environ["NPM_TOKEN"]'],
  },
  'nuget-api-key': {
    ok: [
      'curl -H "Authorization: Bearer «oy2{[abcdefghijklmnopqrstuvwxyz234567]:43}»" https://api.example.com/me',
    ],
    bad: ['oy2{lower:20}', 'oy2{HEX:43}'],
  },
  'nuget-config-password': {
    ok: [
      '<add key="ClearTextPassword" value="«{alnum:16}»" />',
      '<add  key="Password" value="«{base64:24}»" />',
    ],
    bad: ['<add key="ClearTextPassword" value="%PW%" />', '<add key="PasswordPolicy" value="{alnum:16}" />'],
  },
  'numverify-api-key': {
    ok: ["'numverify_api_key' => '«{hex:32}»',"],
    bad: ['numverify_api_key: {hex:33}', 'const numverifyApiKey = await vault.read("numverify_api_key")'],
  },
  'nvapi-key': { ok: ['{"auth":{"value":"«nvapi-{word:64}»"}}'], bad: ['nvapi-{word:20}'] },
  'nylas-api-key': {
    ok: ['docker run --env NYLAS_API_KEY="«{lower:30}»" app'],
    bad: ['NYLAS_API_KEY="{lower:32}"', 'API_KEY={lower:30}'],
  },
  'nylas-v3-api-key': { ok: ['deploy --with «nyk_v0_{alnum:64}» --yes'], bad: ['nyk_v0_{alnum:20}'] },
  'nytimes-access-token': {
    ok: ['export NYTIMES_ACCESS_TOKEN=«{alnum:32}»'],
    bad: ['nytimes_access_token: {alnum:33}', 'nytimes_access_token = os.environ["NYTIMES_ACCESS_TOKEN"]'],
  },
  'oanda-api-key': {
    ok: ['{"oanda": {"api_key": "«{hex:32}-{hex:32}»"}}'],
    bad: ['oanda_api_key: {hex:32}-{hex:31}', 'const oandaApiKey = await vault.read("oanda_api_key")'],
  },
  'oci-customer-secret-key': {
    ok: ['oci_customer_secret_key: «{base64:43}=»'],
    bad: ['OCI_CUSTOMER_SECRET_KEY={base64:30}', 'API_KEY={base64:43}='],
  },
  'octopus-deploy-api-key': {
    ok: ['GET /v1/items?key=«API-{upper:26}»&limit=5 200'],
    bad: ['API-{upper:12}', 'API-REFERENCE-AND-STYLE-GUIDE-FOR-TEAMS'],
  },
  'okta-access-token': {
    ok: ["const oktaAccessToken = '«00{word:40}»'"],
    bad: ['okta_access_token: 00{word:39}', 'okta_access_token = os.environ["OKTA_ACCESS_TOKEN"]'],
  },
  'okta-client-secret': {
    ok: ['curl -H "X-Okta-Client-Secret: «{word:64}»" https://api.example.com/v1/me'],
    bad: ['okta_client_secret: {word:63}', 'const oktaClientSecret = await vault.read("okta_client_secret")'],
  },
  'ollama-api-key': {
    ok: ['settings.ollama_api_key = "«{hex:32}.{word:24}»"'],
    bad: ['ollama_api_key: {hex:32}.{word:23}', 'API_KEY={hex:32}.{word:24}'],
  },
  'omnisend-api-key': {
    ok: ['<add key="OmnisendApiKey" value="«{hex:24}-{alnum:50}»" />'],
    bad: ['OMNISEND_API_KEY={hex:24}-{alnum:12}', 'omnisend_api_key = os.environ["OMNISEND_API_KEY"]'],
  },
  'onesignal-api-key': {
    ok: ['  ONESIGNAL_API_KEY: "«{alnum:48}»" # rotated in May'],
    bad: ['onesignal_api_key: {alnum:47}', 'const onesignalApiKey = await vault.read("onesignal_api_key")'],
  },
  'onesignal-rich-authentication-token': {
    ok: ["client = Client('«os_v2_app_{lower:103}»')"],
    bad: ['os_v2_app_{lower:20}'],
  },
  'onfido-api-token': {
    ok: ['[warn] retry with «api_live_us.{word:11}.{word:32}», attempt 2'],
    bad: ['api_live.{word:11}.{word:12}', 'api_live.base_url.replace'],
  },
  'onfleet-api-key': {
    ok: ['OnfleetClient(onfleet_api_key="«{hex:32}»")'],
    bad: ['ONFLEET_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'oopspam-api-key': {
    ok: ['$env:OOPSPAM_API_KEY = "«{alnum:40}»"'],
    bad: ['oopspam_api_key: {alnum:39}', 'oopspam_api_key = os.environ["OOPSPAM_API_KEY"]'],
  },
  'openai-api-key': {
    ok: ['value: «sk-proj-{alnum:74}T3BlbkFJ{word:74}»'],
    bad: ['sk-{alnum:30}', 'sk-proj-your-key-here', 'task-{alnum:44}'],
  },
  'opencagedata-api-key': {
    ok: ['-e OPENCAGEDATA_API_KEY=«{hex:32}» -p 8080:80'],
    bad: [
      'opencagedata_api_key: {hex:33}',
      'const opencagedataApiKey = await vault.read("opencagedata_api_key")',
    ],
  },
  'openrouter-api-key': {
    ok: ['use `«sk-or-v1-{hex:64}»` for staging'],
    bad: ['<token>sk-or-v1-{hex:63}</token>', 'sk-or-v1-{hex:66}'],
  },
  'openshift-user-token': {
    ok: ['<token>«sha256~{word:43}»</token>'],
    bad: ['TOKEN=sha256~{word:42}', 'sha256~{word:45}'],
  },
  'openuv-access-token': { ok: ['TOKEN=«openuv-{lower:16}-io»'], bad: ['openuv-io', 'openuv-client-io'] },
  'openuv-api-key': {
    ok: ['openuv.api.key=«{hex:32}»'],
    bad: ['OPENUV_API_KEY="{hex:34}"', 'API_KEY={hex:32}'],
  },
  'openweather-api-key': {
    ok: ['{"name":"OPENWEATHER_API_KEY","value":"«{hex:32}»"}'],
    bad: ['openweather_api_key: {hex:33}', 'openweather_api_key = os.environ["OPENWEATHER_API_KEY"]'],
  },
  'opsgenie-api-key': {
    ok: ["'opsgenie_api_key' => '«{uuid}»',"],
    bad: [
      'opsgenie_api_key: {hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'const opsgenieApiKey = await vault.read("opsgenie_api_key")',
    ],
  },
  'optimizely-api-key': {
    ok: ['docker run --env OPTIMIZELY_API_KEY="«2:{word:43}»" app'],
    bad: ['OPTIMIZELY_API_KEY=2:{word:20}', 'API_KEY=2:{word:43}'],
  },
  'ory-api-token': {
    ok: ['curl -H "Authorization: Bearer «ory_pat_{alnum:32}»" https://api.example.com/me'],
    bad: ['ory_at_{alnum:12}'],
  },
  'overloop-api-key': {
    ok: ['export OVERLOOP_API_KEY=«{word:50}»'],
    bad: ['overloop_api_key: {word:49}', 'overloop_api_key = os.environ["OVERLOOP_API_KEY"]'],
  },
  'ovh-application-key': {
    ok: ['ovh_application_key: «{alnum:16}»'],
    bad: ['OVH_APPLICATION_KEY="{alnum:18}"', 'API_KEY={alnum:16}'],
  },
  'ovh-application-secret': {
    ok: ["const ovhApplicationSecret = '«{alnum:32}»'"],
    bad: [
      'ovh_application_secret: {alnum:33}',
      'ovh_application_secret = os.environ["OVH_APPLICATION_SECRET"]',
    ],
  },
  'owlbot-api-key': {
    ok: ['curl -H "X-Owlbot-Api-Key: «{hex:40}»" https://api.example.com/v1/me'],
    bad: ['owlbot_api_key: {hex:39}', 'const owlbotApiKey = await vault.read("owlbot_api_key")'],
  },
}
