import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesS: RuleSamples = {
  'salesblink-api-key': {
    ok: ['SALESBLINK_API_KEY=«{alnum:16}»'],
    bad: ['SALESBLINK_API_KEY={alnum:15}', 'const key = process.env.SALESBLINK_API_KEY'],
  },
  'salescookie-api-key': {
    ok: ['"salescookie_api_key": "«{alnum:32}»",'],
    bad: ['"salescookie_api_key": "{alnum:33}",', 'salescookie_api_key is read from the vault'],
  },
  'salesflare-api-key': {
    ok: ['salesflare_api_key: «{word:45}»'],
    bad: ['salesflare_api_key: {word:36}', 'throw new Error("SALESFLARE_API_KEY is not set")'],
  },
  'salesforce-access-token': {
    ok: ['new Client("«00D{alnum:12}!AQ{alnum:40}.{alnum:53}»")'],
    bad: ['new Client("00D{alnum:12}AQ")'],
  },
  'salesforce-consumer-secret': {
    ok: ['export SALESFORCE_CONSUMER_SECRET="«{HEX:64}»"'],
    bad: [
      'export SALESFORCE_CONSUMER_SECRET="{HEX:63}"',
      'salesforce_consumer_secret: ${SALESFORCE_CONSUMER_SECRET}',
    ],
  },
  'salesforce-refresh-token': {
    ok: ['curl -u «5Aep861{alnum:40}.{alnum:40}»: https://api.example.com'],
    bad: ['curl -u 5Aep861{alnum:20}: https://api.example.com'],
  },
  'sambanova-api-key': {
    ok: ['ENV SAMBANOVA_API_KEY «{uuid}»'],
    bad: ['ENV SAMBANOVA_API_KEY {hex:36}', 'sambanova_api_key is read from the vault'],
  },
  'samsara-api-token': {
    ok: ['SAMSARA_API_TOKEN=«samsara_api_{alnum:30}»'],
    bad: ['SAMSARA_API_TOKEN=samsara_api_{alnum:31}'],
  },
  'sanity-token': {
    ok: ['<add key="sanity_token" value="«sk{alnum:80}»" />'],
    bad: ['<add key="sanity_token" value="sk{alnum:40}" />', 'SANITY_TOKEN=<your key>'],
  },
  'sauce-labs-access-key': {
    ok: ['  - name: SAUCE_ACCESS_KEY     value: «{uuid}»'],
    bad: ['  - name: SAUCE_ACCESS_KEY     value: {hex:36}', 'sauce_access_key: ${SAUCE_ACCESS_KEY}'],
  },
  'scale-ai-api-key': {
    ok: ['os.environ["SCALE_API_KEY"] = "«live_{hex:32}»"'],
    bad: ['os.environ["SCALE_API_KEY"] = "live_{hex:31}"', 'const key = process.env.SCALE_API_KEY'],
  },
  'scaleway-api-key': { ok: ['key: «SCW{upper:17}» # rotate'], bad: ['key: SCW{upper:18} # rotate'] },
  'scaleway-secret-key': {
    ok: ['SCALEWAY_SECRET_KEY=«{uuid}»'],
    bad: ['SCALEWAY_SECRET_KEY={hex:36}', 'throw new Error("SCALEWAY_SECRET_KEY is not set")'],
  },
  'scalingo-api-token': { ok: ['(using «tk-us-{word:48}»)'], bad: ['(using tk-us-{word:20})'] },
  'scalr-api-access-token': {
    ok: ['scalr_api_access_token: «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    bad: [
      'scalr_api_access_token: eyJ{word:30}.{digits:6}',
      'scalr_api_access_token: ${SCALR_API_ACCESS_TOKEN}',
    ],
  },
  'scrapeowl-api-key': {
    ok: ["const scrapeowl_api_key = '«{lower:30}»'"],
    bad: ["const scrapeowl_api_key = '{lower:31}'", 'const key = process.env.SCRAPEOWL_API_KEY'],
  },
  'scraperapi-key': {
    ok: ['export SCRAPERAPI_KEY="«{lower:32}»"'],
    bad: ['export SCRAPERAPI_KEY="{lower:31}"', 'scraperapi_key is read from the vault'],
  },
  'scraperbox-api-key': {
    ok: ['curl -H "scraperbox-api-key: «{upper:32}»" https://api.example.com/v1'],
    bad: [
      'curl -H "scraperbox-api-key: {upper:33}" https://api.example.com/v1',
      'throw new Error("SCRAPERBOX_API_KEY is not set")',
    ],
  },
  'scrapestack-api-key': {
    ok: ['ENV SCRAPESTACK_API_KEY «{hex:32}»'],
    bad: ['ENV SCRAPESTACK_API_KEY {hex:31}', 'SCRAPESTACK_API_KEY=<your key>'],
  },
  'scrapfly-api-key': {
    ok: ['scrapfly-api-key = "«scp-live-{hex:32}»"'],
    bad: ['scrapfly-api-key = "scp-live-{hex:33}"', 'scrapfly_api_key: ${SCRAPFLY_API_KEY}'],
  },
  'scrapingant-api-key': {
    ok: ['<add key="scrapingant_api_key" value="«{hex:32}»" />'],
    bad: [
      '<add key="scrapingant_api_key" value="{hex:31}" />',
      'const key = process.env.SCRAPINGANT_API_KEY',
    ],
  },
  'scrapingbee-api-key': {
    ok: ['  - name: SCRAPINGBEE_API_KEY     value: «{upper:80}»'],
    bad: [
      '  - name: SCRAPINGBEE_API_KEY     value: {upper:81}',
      'scrapingbee_api_key is read from the vault',
    ],
  },
  'scrapingdog-api-key': {
    ok: ['os.environ["SCRAPINGDOG_API_KEY"] = "«{hex:24}»"'],
    bad: [
      'os.environ["SCRAPINGDOG_API_KEY"] = "{hex:23}"',
      'throw new Error("SCRAPINGDOG_API_KEY is not set")',
    ],
  },
  'screenshotapi-key': {
    ok: ['{\\"screenshotapi_key\\":\\"«{upper:7}-{upper:7}-{upper:7}-{upper:7}»\\"}'],
    bad: [
      '{\\"screenshotapi_key\\":\\"{upper:7}-{upper:7}-{upper:7}-{upper:6}\\"}',
      'SCREENSHOTAPI_KEY=<your key>',
    ],
  },
  'screenshotlayer-api-key': {
    ok: ['SCREENSHOTLAYER_API_KEY=«{hex:32}»'],
    bad: ['SCREENSHOTLAYER_API_KEY={hex:31}', 'screenshotlayer_api_key: ${SCREENSHOTLAYER_API_KEY}'],
  },
  'scrutinizer-ci-access-token': {
    ok: ['"scrutinizer_ci_access_token": "«{hex:64}»",'],
    bad: [
      '"scrutinizer_ci_access_token": "{hex:65}",',
      'const key = process.env.SCRUTINIZER_CI_ACCESS_TOKEN',
    ],
  },
  'securitytrails-api-key': {
    ok: ['securitytrails_api_key: «{alnum:32}»'],
    bad: ['securitytrails_api_key: {alnum:31}', 'securitytrails_api_key is read from the vault'],
  },
  'segment-api-key': {
    ok: ["const segment_api_key = '«{word:43}.{word:43}»'"],
    bad: ["const segment_api_key = '{word:43}.{word:20}'", 'throw new Error("SEGMENT_API_KEY is not set")'],
  },
  'segment-public-api-token': {
    ok: ['SEGMENT_PUBLIC_API_TOKEN=«sgp_{alnum:64}»'],
    bad: ['SEGMENT_PUBLIC_API_TOKEN=sgp_{alnum:63}'],
  },
  'selectpdf-api-key': {
    ok: ['curl -H "selectpdf-api-key: «{uuid}»" https://api.example.com/v1'],
    bad: [
      'curl -H "selectpdf-api-key: {hex:36}" https://api.example.com/v1',
      'selectpdf_api_key: ${SELECTPDF_API_KEY}',
    ],
  },
  'semaphore-api-key': {
    ok: ['ENV SEMAPHORE_API_KEY «{hex:32}»'],
    bad: ['ENV SEMAPHORE_API_KEY {hex:31}', 'const key = process.env.SEMAPHORE_API_KEY'],
  },
  'sendbird-access-id': {
    ok: ['sendbird-access-id = "«{uuid}»"'],
    bad: ['sendbird-access-id = "{hex:36}"', 'sendbird_access_id is read from the vault'],
  },
  'sendbird-access-token': {
    ok: ['<add key="sendbird_access_token" value="«{hex:40}»" />'],
    bad: [
      '<add key="sendbird_access_token" value="{hex:39}" />',
      'throw new Error("SENDBIRD_ACCESS_TOKEN is not set")',
    ],
  },
  'sendbird-organization-api-key': {
    ok: ['  - name: SENDBIRD_ORGANIZATION_API_KEY     value: «{hex:24}»'],
    bad: [
      '  - name: SENDBIRD_ORGANIZATION_API_KEY     value: {hex:25}',
      'SENDBIRD_ORGANIZATION_API_KEY=<your key>',
    ],
  },
  'sendgrid-api-token': {
    ok: ['(using «SG.{word:22}.{alnum:43}»)'],
    bad: ['(using SG.{word:22}.{alnum:12})'],
  },
  'sendinblue-api-token': {
    ok: ['SENDINBLUE_API_TOKEN=«xkeysib-{hex:64}-{alnum:16}»'],
    bad: ['SENDINBLUE_API_TOKEN=xkeysib-{hex:64}'],
  },
  'sentry-access-token': {
    ok: ['SENTRY_ACCESS_TOKEN=«{hex:64}»'],
    bad: ['SENTRY_ACCESS_TOKEN={hex:63}', 'sentry_access_token is read from the vault'],
  },
  'sentry-integration-token': { ok: ['{"token":"«sntryi_{hex:64}»"}'], bad: ['{"token":"sntryi_{hex:65}"}'] },
  'sentry-org-token': {
    ok: ['new Client("«sntrys_eyJ{alnum:120}=_{base64:42}Q»")'],
    bad: ['new Client("sntrys_eyJ{alnum:120}=")'],
  },
  'sentry-user-token': { ok: ['key: «sntryu_{hex:64}» # rotate'], bad: ['key: sntryu_{hex:65} # rotate'] },
  'serpapi-api-key': {
    ok: ['export SERPAPI_API_KEY="«{hex:64}»"'],
    bad: ['export SERPAPI_API_KEY="{hex:63}"', 'const key = process.env.SERPAPI_API_KEY'],
  },
  'serper-api-key': {
    ok: ['curl -H "serper-api-key: «{hex:40}»" https://api.example.com/v1'],
    bad: [
      'curl -H "serper-api-key: {hex:41}" https://api.example.com/v1',
      'serper_api_key is read from the vault',
    ],
  },
  'serphouse-api-key': {
    ok: ['ENV SERPHOUSE_API_KEY «{alnum:60}»'],
    bad: ['ENV SERPHOUSE_API_KEY {alnum:59}', 'throw new Error("SERPHOUSE_API_KEY is not set")'],
  },
  'serpstack-api-key': {
    ok: ['serpstack-api-key = "«{hex:32}»"'],
    bad: ['serpstack-api-key = "{hex:33}"', 'SERPSTACK_API_KEY=<your key>'],
  },
  'settlemint-application-access-token': {
    ok: ['{"token":"«sm_aat_{alnum:16}»"}'],
    bad: ['{"token":"sm_aat_{alnum:15}"}'],
  },
  'settlemint-personal-access-token': {
    ok: ['new Client("«sm_pat_{alnum:16}»")'],
    bad: ['new Client("sm_pat_{alnum:17}")'],
  },
  'settlemint-service-access-token': {
    ok: ['key: «sm_sat_{alnum:16}» # rotate'],
    bad: ['key: sm_sat_{alnum:15} # rotate'],
  },
  'sherpadesk-api-key': {
    ok: ['{\\"sherpadesk_api_key\\":\\"«{lower:32}»\\"}'],
    bad: ['{\\"sherpadesk_api_key\\":\\"{lower:33}\\"}', 'throw new Error("SHERPADESK_API_KEY is not set")'],
  },
  'shipday-api-key': {
    ok: ['SHIPDAY_API_KEY=«{alnum:10}.{alnum:20}»'],
    bad: ['SHIPDAY_API_KEY={alnum:10}.{alnum:12}', 'SHIPDAY_API_KEY=<your key>'],
  },
  'shippo-api-token': {
    ok: ['SHIPPO_API_TOKEN=«shippo_live_{hex:40}»'],
    bad: ['SHIPPO_API_TOKEN=shippo_live_{hex:41}'],
  },
  'shodan-api-key': {
    ok: ['shodan_api_key: «{alnum:32}»'],
    bad: ['shodan_api_key: {alnum:31}', 'const key = process.env.SHODAN_API_KEY'],
  },
  'shopify-access-token': { ok: ['{"token":"«shpat_{hex:32}»"}'], bad: ['{"token":"shpat_{hex:33}"}'] },
  'shopify-custom-access-token': {
    ok: ['new Client("«shpca_{hex:32}»")'],
    bad: ['new Client("shpca_{hex:31}")'],
  },
  'shopify-private-app-access-token': {
    ok: ['key: «shppa_{hex:32}» # rotate'],
    bad: ['key: shppa_{hex:33} # rotate'],
  },
  'shopify-shared-secret': {
    ok: ['curl -u «shpss_{hex:32}»: https://api.example.com'],
    bad: ['curl -u shpss_{hex:31}: https://api.example.com'],
  },
  'shopify-theme-access-token': { ok: ['(using «shptka_{hex:32}»)'], bad: ['(using shptka_{hex:33})'] },
  'shortcut-api-key': {
    ok: ['<add key="shortcut_api_token" value="«{uuid}»" />'],
    bad: ['<add key="shortcut_api_token" value="{hex:36}" />', 'shortcut_api_token is read from the vault'],
  },
  'shotstack-api-key': {
    ok: ['  - name: SHOTSTACK_API_KEY     value: «{alnum:40}»'],
    bad: [
      '  - name: SHOTSTACK_API_KEY     value: {alnum:41}',
      'throw new Error("SHOTSTACK_API_KEY is not set")',
    ],
  },
  'shutterstock-oauth-token': {
    ok: ['os.environ["SHUTTERSTOCK_OAUTH_TOKEN"] = "«v2/{alnum:388}»"'],
    bad: ['os.environ["SHUTTERSTOCK_OAUTH_TOKEN"] = "v2/{alnum:24}"', 'SHUTTERSTOCK_OAUTH_TOKEN=<your key>'],
  },
  'sidekiq-secret': {
    ok: [
      'BUNDLE_GEMS__CONTRIBSYS__COM=«{hex:8}:{hex:8}»',
      'bundle config --global enterprise.contribsys.com «{hex:8}:{hex:8}»',
    ],
    bad: ['BUNDLE_GEMS__CONTRIBSYS__COM=$SIDEKIQ_LOGIN', 'BUNDLE_GEMS__CONTRIBSYS__COM={hex:8}'],
  },
  'sidekiq-sensitive-url': {
    ok: ["source 'https://«{hex:8}:{hex:8}»@gems.contribsys.com/'"],
    bad: ["source 'https://gems.contribsys.com/{hex:8}'", 'https://{hex:8}:{hex:8}@gems.example.com'],
  },
  'signaturit-api-key': {
    ok: ['"signaturit_api_key": "«{word:86}»",'],
    bad: ['"signaturit_api_key": "{word:77}",', 'signaturit_api_key is read from the vault'],
  },
  'signupgenius-api-key': {
    ok: ['signupgenius_api_key: «{alnum:32}»'],
    bad: ['signupgenius_api_key: {alnum:31}', 'throw new Error("SIGNUPGENIUS_API_KEY is not set")'],
  },
  'sigopt-api-key': {
    ok: ["const sigopt_api_key = '«{upper:48}»'"],
    bad: ["const sigopt_api_key = '{upper:49}'", 'SIGOPT_API_KEY=<your key>'],
  },
  'siliconflow-api-key': {
    ok: ['export SILICONFLOW_API_KEY="«sk-{lower:48}»"'],
    bad: ['export SILICONFLOW_API_KEY="sk-{lower:47}"', 'siliconflow_api_key: ${SILICONFLOW_API_KEY}'],
  },
  'simfin-api-key': {
    ok: ['curl -H "simfin-api-key: «{alnum:32}»" https://api.example.com/v1'],
    bad: [
      'curl -H "simfin-api-key: {alnum:33}" https://api.example.com/v1',
      'const key = process.env.SIMFIN_API_KEY',
    ],
  },
  'simplesat-api-key': {
    ok: ['ENV SIMPLESAT_API_KEY «{hex:40}»'],
    bad: ['ENV SIMPLESAT_API_KEY {hex:39}', 'simplesat_api_key is read from the vault'],
  },
  'simplynoted-api-key': {
    ok: ['simplynoted-api-key = "«{alnum:150}.{alnum:199}»"'],
    bad: ['simplynoted-api-key = "{alnum:150}"', 'throw new Error("SIMPLYNOTED_API_KEY is not set")'],
  },
  'simvoly-api-key': {
    ok: ['<add key="simvoly_api_key" value="«{alnum:33}»" />'],
    bad: ['<add key="simvoly_api_key" value="{alnum:32}" />', 'SIMVOLY_API_KEY=<your key>'],
  },
  'skrapio-api-key': {
    ok: ['  - name: SKRAPIO_API_KEY     value: «{alnum:20}»'],
    bad: ['  - name: SKRAPIO_API_KEY     value: {alnum:21}', 'skrapio_api_key: ${SKRAPIO_API_KEY}'],
  },
  'slack-app-token': {
    ok: ['SLACK_APP_TOKEN=«xapp-1-A{upper:10}-{digits:13}-{hex:64}»'],
    bad: ['SLACK_APP_TOKEN=xapp-1-A{upper:10}-{digits:13}'],
  },
  'slack-bot-token': {
    ok: ['Authorization: Bearer «xoxb-{digits:12}-{digits:13}-{alnum:24}»'],
    bad: ['Authorization: Bearer xoxb-{digits:12}-your-token'],
  },
  'slack-config-access-token': {
    ok: ['{"token":"«xoxe.xoxp-1-{upper:166}»"}'],
    bad: ['{"token":"xoxe.xoxp-1-{upper:20}"}'],
  },
  'slack-config-refresh-token': {
    ok: ['new Client("«xoxe-1-{upper:146}»")'],
    bad: ['new Client("xoxe-1-{upper:20}")'],
  },
  'slack-legacy-bot-token': {
    ok: ['key: «xoxb-{digits:12}-{alnum:24}» # rotate'],
    bad: ['key: xoxb-not-a-real-token # rotate'],
  },
  'slack-legacy-token': {
    ok: ['curl -u «xoxs-{digits:10}-{digits:10}-{digits:10}-{hex:10}»: https://api.example.com'],
    bad: ['curl -u xoxs-{digits:10}-token: https://api.example.com'],
  },
  'slack-legacy-workspace-token': { ok: ['(using «xoxa-2-{alnum:48}»)'], bad: ['(using xoxa-2-short)'] },
  'slack-session-cookie': {
    ok: ['SLACK_SESSION_COOKIE=«xoxd-{alnum:60}%2B{alnum:80}%3D»'],
    bad: ['SLACK_SESSION_COOKIE=xoxd-cookie'],
  },
  'slack-session-token': {
    ok: ['Authorization: Bearer «xoxc-{digits:12}-{digits:12}-{digits:13}-{hex:64}»'],
    bad: ['Authorization: Bearer xoxc-{digits:12}-{digits:12}'],
  },
  'slack-user-token': {
    ok: ['{"token":"«xoxp-{digits:12}-{digits:12}-{digits:13}-{hex:32}»"}'],
    bad: ['{"token":"xoxp-{digits:12}-{digits:12}"}'],
  },
  'slack-webhook-url': {
    ok: [
      "curl -X POST https://hooks.slack.com/services/«T{upper:10}/B{upper:10}/{alnum:24}» -d '{}'",
      'url: https://hooks.slack.com/triggers/«T{upper:10}/{digits:13}/{hex:32}»',
    ],
    bad: ['https://hooks.slack.com/services/T000/B000/XXXX', 'see https://api.slack.com/messaging/webhooks'],
  },
  'smartsheets-api-key': {
    ok: ['  - name: SMARTSHEETS_API_KEY     value: «{alnum:37}»'],
    bad: [
      '  - name: SMARTSHEETS_API_KEY     value: {alnum:38}',
      'smartsheets_api_key is read from the vault',
    ],
  },
  'smtp2go-api-key': {
    ok: ['curl -u «api-{HEX:32}»: https://api.example.com'],
    bad: ['curl -u api-{hex:32}: https://api.example.com'],
  },
  'snipcart-api-key': {
    ok: ['{\\"snipcart_api_key\\":\\"«{alnum:75}»\\"}'],
    bad: ['{\\"snipcart_api_key\\":\\"{alnum:40}\\"}', 'SNIPCART_API_KEY=<your key>'],
  },
  'snowflake-password': {
    ok: ['SNOWSQL_PWD=«Zq{digits:1}x!{alnum:12}»', '"snowflake_password": "«{alnum:14}»"'],
    bad: [
      'snowflake_password = os.environ["SNOWFLAKE_PASSWORD"]',
      'SNOWFLAKE_PASSWORD=${SNOWFLAKE_PASSWORD}',
    ],
  },
  'snowflake-programmatic-access-token': {
    ok: ['"snowflake_programmatic_access_token": "«eyJ{word:30}.eyJ{word:60}.{word:43}»",'],
    bad: [
      '"snowflake_programmatic_access_token": "eyJ{word:30}.{digits:6}",',
      'const key = process.env.SNOWFLAKE_PROGRAMMATIC_ACCESS_TOKEN',
    ],
  },
  'snyk-api-token': {
    ok: ['snyk_api_token: «{uuid}»'],
    bad: ['snyk_api_token: {hex:36}', 'snyk_api_token is read from the vault'],
  },
  'snyk-personal-access-token': {
    ok: ['new Client("«snyk_uat.{hex:8}.{alnum:60}.{alnum:60}»")'],
    bad: ['new Client("snyk_uat.{hex:8}")'],
  },
  'sonar-api-token': {
    ok: ['export SONAR_TOKEN="«{hex:40}»"'],
    bad: ['export SONAR_TOKEN="{hex:24}"', 'SONAR_TOKEN=<your key>'],
  },
  'sonarqube-token': {
    ok: ['curl -u «sqp_{hex:40}»: https://api.example.com'],
    bad: ['curl -u sqp_{hex:41}: https://api.example.com'],
  },
  'sourcegraph-access-token': {
    ok: ['(using «sgp_{hex:16}_{hex:40}»)'],
    bad: ['(using sgp_{hex:16}_{hex:30})'],
  },
  'sourcegraph-api-key': {
    ok: ['sourcegraph-api-key = "«{hex:40}»"'],
    bad: ['sourcegraph-api-key = "{hex:41}"', 'sourcegraph_api_key is read from the vault'],
  },
  'sourcegraph-cody-api-key': {
    ok: ['Authorization: Bearer «slk_{hex:64}»'],
    bad: ['Authorization: Bearer slk_{hex:63}'],
  },
  'sparkpost-api-key': {
    ok: ['  - name: SPARKPOST_API_KEY     value: «{hex:40}»'],
    bad: ['  - name: SPARKPOST_API_KEY     value: {hex:41}', 'SPARKPOST_API_KEY=<your key>'],
  },
  'speechmatics-api-key': {
    ok: ['os.environ["SPEECHMATICS_API_KEY"] = "«{alnum:32}»"'],
    bad: [
      'os.environ["SPEECHMATICS_API_KEY"] = "{alnum:31}"',
      'speechmatics_api_key: ${SPEECHMATICS_API_KEY}',
    ],
  },
  'speechtextai-api-key': {
    ok: ['{\\"speechtextai_api_key\\":\\"«{hex:32}»\\"}'],
    bad: ['{\\"speechtextai_api_key\\":\\"{hex:33}\\"}', 'const key = process.env.SPEECHTEXTAI_API_KEY'],
  },
  'splunk-hec-token': {
    ok: ['SPLUNK_HEC_TOKEN=«{uuid}»'],
    bad: ['SPLUNK_HEC_TOKEN={hex:36}', 'splunk_hec_token is read from the vault'],
  },
  'splunk-observability-token': {
    ok: ['"splunk_access_token": "«{word:22}»",'],
    bad: ['"splunk_access_token": "{word:13}",', 'throw new Error("SPLUNK_ACCESS_TOKEN is not set")'],
  },
  'spoonacular-api-key': {
    ok: ['spoonacular_api_key: «{hex:32}»'],
    bad: ['spoonacular_api_key: {hex:31}', 'SPOONACULAR_API_KEY=<your key>'],
  },
  'sportsmonk-api-key': {
    ok: ["const sportsmonk_api_key = '«{alnum:60}»'"],
    bad: ["const sportsmonk_api_key = '{alnum:61}'", 'sportsmonk_api_key: ${SPORTSMONK_API_KEY}'],
  },
  'spotify-api-secret': {
    ok: ['export SPOTIFY_API_SECRET="«{hex:32}»"'],
    bad: ['export SPOTIFY_API_SECRET="{hex:31}"', 'const key = process.env.SPOTIFY_API_SECRET'],
  },
  'square-access-token': {
    ok: ['new Client("«sq0atp-{word:22}»")', 'square_access_token: "«EAAA{word:60}»"'],
    bad: ['new Client("sq0atp-{word:12}")'],
  },
  'square-oauth-secret': {
    ok: ['key: «sq0csp-{word:43}» # rotate'],
    bad: ['key: sq0csp-{word:20} # rotate'],
  },
  'squarespace-access-token': {
    ok: ['squarespace-access-token = "«{uuid}»"'],
    bad: ['squarespace-access-token = "{hex:36}"', 'SQUARESPACE_ACCESS_TOKEN=<your key>'],
  },
  'squareup-api-key': { ok: ['(using «sq0idp-{word:22}»)'], bad: ['(using sq0idp-{word:12})'] },
  'sslmate-api-key': {
    ok: ['  - name: SSLMATE_API_KEY     value: «{alnum:36}»'],
    bad: ['  - name: SSLMATE_API_KEY     value: {alnum:37}', 'const key = process.env.SSLMATE_API_KEY'],
  },
  'stability-ai-api-key': {
    ok: ['os.environ["STABILITY_AI_API_KEY"] = "«sk-{alnum:48}»"'],
    bad: [
      'os.environ["STABILITY_AI_API_KEY"] = "sk-{alnum:47}"',
      'stability_ai_api_key is read from the vault',
    ],
  },
  'stackhawk-api-key': {
    ok: ['{"token":"«hawk.{word:20}.{word:20}»"}'],
    bad: ['{"token":"hawk.{alnum:20}.scan"}'],
  },
  'statsig-secret-key': {
    ok: ['new Client("«secret-{alnum:43}»")'],
    bad: ['new Client("secret-{alnum:12}")'],
  },
  'statuscake-api-key': {
    ok: ['"statuscake_api_key": "«{alnum:30}»",'],
    bad: ['"statuscake_api_key": "{alnum:31}",', 'statuscake_api_key: ${STATUSCAKE_API_KEY}'],
  },
  'statuspage-api-key': {
    ok: ['statuspage_api_key: «{hex:64}»'],
    bad: ['statuspage_api_key: {hex:63}', 'const key = process.env.STATUSPAGE_API_KEY'],
  },
  'statuspal-api-key': {
    ok: ["const statuspal_api_key = '«uk_{alnum:48}»'"],
    bad: ["const statuspal_api_key = '{alnum:12}'", 'statuspal_api_key is read from the vault'],
  },
  'steam-web-api-key': {
    ok: ['export STEAM_WEB_API_KEY="«{HEX:32}»"'],
    bad: ['export STEAM_WEB_API_KEY="{HEX:31}"', 'throw new Error("STEAM_WEB_API_KEY is not set")'],
  },
  'stitchdata-api-key': {
    ok: ['curl -H "stitchdata-api-key: «{hex:64}»" https://api.example.com/v1'],
    bad: [
      'curl -H "stitchdata-api-key: {hex:65}" https://api.example.com/v1',
      'STITCHDATA_API_KEY=<your key>',
    ],
  },
  'stockdata-api-key': {
    ok: ['ENV STOCKDATA_API_KEY «{alnum:40}»'],
    bad: ['ENV STOCKDATA_API_KEY {alnum:39}', 'stockdata_api_key: ${STOCKDATA_API_KEY}'],
  },
  'storecove-api-key': {
    ok: ['storecove-api-key = "«{word:43}»"'],
    bad: ['storecove-api-key = "{word:34}"', 'const key = process.env.STORECOVE_API_KEY'],
  },
  'stormboard-api-key': {
    ok: ['<add key="stormboard_api_key" value="«{hex:40}»" />'],
    bad: ['<add key="stormboard_api_key" value="{hex:39}" />', 'stormboard_api_key is read from the vault'],
  },
  'stormglass-api-key': {
    ok: ['  - name: STORMGLASS_API_KEY     value: «{uuid}-{uuid}»'],
    bad: [
      '  - name: STORMGLASS_API_KEY     value: {uuid}',
      'throw new Error("STORMGLASS_API_KEY is not set")',
    ],
  },
  'storyblok-secret': {
    ok: ['os.environ["STORYBLOK_SECRET"] = "«{alnum:22}tt»"'],
    bad: ['os.environ["STORYBLOK_SECRET"] = "{alnum:12}tt"', 'STORYBLOK_SECRET=<your key>'],
  },
  'storychief-api-key': {
    ok: ['{\\"storychief_api_key\\":\\"«eyJ{word:30}.eyJ{word:60}.{word:43}»\\"}'],
    bad: [
      '{\\"storychief_api_key\\":\\"eyJ{word:30}.{digits:6}\\"}',
      'storychief_api_key: ${STORYCHIEF_API_KEY}',
    ],
  },
  'strapi-api-token': {
    ok: ['STRAPI_API_TOKEN=«{hex:256}»'],
    bad: ['STRAPI_API_TOKEN={hex:255}', 'const key = process.env.STRAPI_API_TOKEN'],
  },
  'strava-client-secret': {
    ok: ['"strava_client_secret": "«{hex:40}»",'],
    bad: ['"strava_client_secret": "{hex:41}",', 'strava_client_secret is read from the vault'],
  },
  'streak-api-key': {
    ok: ['streak_api_key: «{hex:32}»'],
    bad: ['streak_api_key: {hex:31}', 'throw new Error("STREAK_API_KEY is not set")'],
  },
  'stripe-access-token': {
    ok: ['key: «sk_live_{alnum:24}» # rotate', 'STRIPE_RESTRICTED=«rk_test_51{alnum:97}»'],
    bad: ['key: sk_live_key # rotate'],
  },
  'stripe-webhook-secret': {
    ok: ['curl -u «whsec_{alnum:32}»: https://api.example.com'],
    bad: ['curl -u whsec_test: https://api.example.com'],
  },
  'stripo-jwt-token': {
    ok: ['curl -H "stripo-jwt-token: «eyJ{word:30}.eyJ{word:60}.{word:43}»" https://api.example.com/v1'],
    bad: [
      'curl -H "stripo-jwt-token: eyJ{word:30}.{digits:6}" https://api.example.com/v1',
      'const key = process.env.STRIPO_JWT_TOKEN',
    ],
  },
  'stytch-secret': { ok: ['STYTCH_SECRET=«secret-live-{word:36}»'], bad: ['STYTCH_SECRET=secret-live-key'] },
  'sumologic-access-id': {
    ok: ['sumologic-access-id = "«su{alnum:12}»"'],
    bad: ['sumologic-access-id = "su{alnum:13}"', 'throw new Error("SUMOLOGIC_ACCESS_ID is not set")'],
  },
  'sumologic-access-token': {
    ok: ['<add key="sumologic_access_token" value="«{alnum:64}»" />'],
    bad: ['<add key="sumologic_access_token" value="{alnum:63}" />', 'SUMOLOGIC_ACCESS_TOKEN=<your key>'],
  },
  'sumup-api-key': { ok: ['new Client("«sup_sk_{alnum:32}»")'], bad: ['new Client("sup_sk_{alnum:8}")'] },
  'supabase-api-key': {
    ok: ['key: «sb_secret_{alnum:22}_{alnum:8}» # rotate'],
    bad: ['key: sb_secret_{alnum:6} # rotate'],
  },
  'supabase-management-token': {
    ok: ['curl -u «sbp_{hex:40}»: https://api.example.com', 'supabase login --token «sbp_oauth_{hex:40}»'],
    bad: ['curl -u sbp_{hex:41}: https://api.example.com'],
  },
  'supabase-project-api-key': {
    ok: ['SUPABASE_PROJECT_API_KEY=«eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    bad: [
      'SUPABASE_PROJECT_API_KEY=eyJ{word:30}.{digits:6}',
      'throw new Error("SUPABASE_PROJECT_API_KEY is not set")',
    ],
  },
  'supernotes-api-key': {
    ok: ['"supernotes_api_key": "«{word:43}»",'],
    bad: ['"supernotes_api_key": "{word:34}",', 'SUPERNOTES_API_KEY=<your key>'],
  },
  'surveybot-api-key': {
    ok: ['surveybot_api_key: «{alnum:80}»'],
    bad: ['surveybot_api_key: {alnum:79}', 'surveybot_api_key: ${SURVEYBOT_API_KEY}'],
  },
  'surveysparrow-api-key': {
    ok: ["const surveysparrow_api_key = '«{word:88}»'"],
    bad: ["const surveysparrow_api_key = '{word:40}'", 'const key = process.env.SURVEYSPARROW_API_KEY'],
  },
  'survicate-api-key': {
    ok: ['export SURVICATE_API_KEY="«{hex:32}»"'],
    bad: ['export SURVICATE_API_KEY="{hex:31}"', 'survicate_api_key is read from the vault'],
  },
  'swaggerhub-api-key': {
    ok: ['curl -H "swaggerhub-api-key: «{uuid}»" https://api.example.com/v1'],
    bad: [
      'curl -H "swaggerhub-api-key: {hex:36}" https://api.example.com/v1',
      'throw new Error("SWAGGERHUB_API_KEY is not set")',
    ],
  },
  'swiftype-api-key': {
    ok: ['ENV SWIFTYPE_API_KEY «{word:20}»'],
    bad: ['ENV SWIFTYPE_API_KEY {word:11}', 'SWIFTYPE_API_KEY=<your key>'],
  },
}
