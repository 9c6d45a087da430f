import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesS: RuleSamples = {
  'salesblink-api-key': {
    secret: ['SALESBLINK_API_KEY=«{alnum:16}»'],
    clean: ['SALESBLINK_API_KEY={alnum:15}', 'const key = process.env.SALESBLINK_API_KEY'],
  },
  'salescookie-api-key': {
    secret: ['"salescookie_api_key": "«{alnum:32}»",'],
    clean: ['"salescookie_api_key": "{alnum:33}",', 'salescookie_api_key is read from the vault'],
  },
  'salesflare-api-key': {
    secret: ['salesflare_api_key: «{word:45}»'],
    clean: ['salesflare_api_key: {word:36}', 'throw new Error("SALESFLARE_API_KEY is not set")'],
  },
  'salesforce-access-token': {
    secret: ['new Client("«00D{alnum:12}!AQ{alnum:40}.{alnum:53}»")'],
    clean: ['new Client("00D{alnum:12}AQ")'],
  },
  'salesforce-consumer-secret': {
    secret: ['export SALESFORCE_CONSUMER_SECRET="«{HEX:64}»"'],
    clean: [
      'export SALESFORCE_CONSUMER_SECRET="{HEX:63}"',
      'salesforce_consumer_secret: ${SALESFORCE_CONSUMER_SECRET}',
    ],
  },
  'salesforce-refresh-token': {
    secret: ['curl -u «5Aep861{alnum:40}.{alnum:40}»: https://api.example.com'],
    clean: ['curl -u 5Aep861{alnum:20}: https://api.example.com'],
  },
  'sambanova-api-key': {
    secret: ['ENV SAMBANOVA_API_KEY «{uuid}»'],
    clean: ['ENV SAMBANOVA_API_KEY {hex:36}', 'sambanova_api_key is read from the vault'],
  },
  'samsara-api-token': {
    secret: ['SAMSARA_API_TOKEN=«samsara_api_{alnum:30}»'],
    clean: ['SAMSARA_API_TOKEN=samsara_api_{alnum:31}'],
  },
  'sanity-token': {
    secret: ['<add key="sanity_token" value="«sk{alnum:80}»" />'],
    clean: ['<add key="sanity_token" value="sk{alnum:40}" />', 'SANITY_TOKEN=<your key>'],
  },
  'sauce-labs-access-key': {
    secret: ['  - name: SAUCE_ACCESS_KEY     value: «{uuid}»'],
    clean: ['  - name: SAUCE_ACCESS_KEY     value: {hex:36}', 'sauce_access_key: ${SAUCE_ACCESS_KEY}'],
  },
  'scale-ai-api-key': {
    secret: ['os.environ["SCALE_API_KEY"] = "«live_{hex:32}»"'],
    clean: ['os.environ["SCALE_API_KEY"] = "live_{hex:31}"', 'const key = process.env.SCALE_API_KEY'],
  },
  'scaleway-api-key': { secret: ['key: «SCW{upper:17}» # rotate'], clean: ['key: SCW{upper:18} # rotate'] },
  'scaleway-secret-key': {
    secret: ['SCALEWAY_SECRET_KEY=«{uuid}»'],
    clean: ['SCALEWAY_SECRET_KEY={hex:36}', 'throw new Error("SCALEWAY_SECRET_KEY is not set")'],
  },
  'scalingo-api-token': { secret: ['(using «tk-us-{word:48}»)'], clean: ['(using tk-us-{word:20})'] },
  'scalr-api-access-token': {
    secret: ['scalr_api_access_token: «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    clean: [
      'scalr_api_access_token: eyJ{word:30}.{digits:6}',
      'scalr_api_access_token: ${SCALR_API_ACCESS_TOKEN}',
    ],
  },
  'scrapeowl-api-key': {
    secret: ["const scrapeowl_api_key = '«{lower:30}»'"],
    clean: ["const scrapeowl_api_key = '{lower:31}'", 'const key = process.env.SCRAPEOWL_API_KEY'],
  },
  'scraperapi-key': {
    secret: ['export SCRAPERAPI_KEY="«{lower:32}»"'],
    clean: ['export SCRAPERAPI_KEY="{lower:31}"', 'scraperapi_key is read from the vault'],
  },
  'scraperbox-api-key': {
    secret: ['curl -H "scraperbox-api-key: «{upper:32}»" https://api.example.com/v1'],
    clean: [
      'curl -H "scraperbox-api-key: {upper:33}" https://api.example.com/v1',
      'throw new Error("SCRAPERBOX_API_KEY is not set")',
    ],
  },
  'scrapestack-api-key': {
    secret: ['ENV SCRAPESTACK_API_KEY «{hex:32}»'],
    clean: ['ENV SCRAPESTACK_API_KEY {hex:31}', 'SCRAPESTACK_API_KEY=<your key>'],
  },
  'scrapfly-api-key': {
    secret: ['scrapfly-api-key = "«scp-live-{hex:32}»"'],
    clean: ['scrapfly-api-key = "scp-live-{hex:33}"', 'scrapfly_api_key: ${SCRAPFLY_API_KEY}'],
  },
  'scrapingant-api-key': {
    secret: ['<add key="scrapingant_api_key" value="«{hex:32}»" />'],
    clean: [
      '<add key="scrapingant_api_key" value="{hex:31}" />',
      'const key = process.env.SCRAPINGANT_API_KEY',
    ],
  },
  'scrapingbee-api-key': {
    secret: ['  - name: SCRAPINGBEE_API_KEY     value: «{upper:80}»'],
    clean: [
      '  - name: SCRAPINGBEE_API_KEY     value: {upper:81}',
      'scrapingbee_api_key is read from the vault',
    ],
  },
  'scrapingdog-api-key': {
    secret: ['os.environ["SCRAPINGDOG_API_KEY"] = "«{hex:24}»"'],
    clean: [
      'os.environ["SCRAPINGDOG_API_KEY"] = "{hex:23}"',
      'throw new Error("SCRAPINGDOG_API_KEY is not set")',
    ],
  },
  'screenshotapi-key': {
    secret: ['{\\"screenshotapi_key\\":\\"«{upper:7}-{upper:7}-{upper:7}-{upper:7}»\\"}'],
    clean: [
      '{\\"screenshotapi_key\\":\\"{upper:7}-{upper:7}-{upper:7}-{upper:6}\\"}',
      'SCREENSHOTAPI_KEY=<your key>',
    ],
  },
  'screenshotlayer-api-key': {
    secret: ['SCREENSHOTLAYER_API_KEY=«{hex:32}»'],
    clean: ['SCREENSHOTLAYER_API_KEY={hex:31}', 'screenshotlayer_api_key: ${SCREENSHOTLAYER_API_KEY}'],
  },
  'scrutinizer-ci-access-token': {
    secret: ['"scrutinizer_ci_access_token": "«{hex:64}»",'],
    clean: [
      '"scrutinizer_ci_access_token": "{hex:65}",',
      'const key = process.env.SCRUTINIZER_CI_ACCESS_TOKEN',
    ],
  },
  'securitytrails-api-key': {
    secret: ['securitytrails_api_key: «{alnum:32}»'],
    clean: ['securitytrails_api_key: {alnum:31}', 'securitytrails_api_key is read from the vault'],
  },
  'segment-api-key': {
    secret: ["const segment_api_key = '«{word:43}.{word:43}»'"],
    clean: ["const segment_api_key = '{word:43}.{word:20}'", 'throw new Error("SEGMENT_API_KEY is not set")'],
  },
  'segment-public-api-token': {
    secret: ['SEGMENT_PUBLIC_API_TOKEN=«sgp_{alnum:64}»'],
    clean: ['SEGMENT_PUBLIC_API_TOKEN=sgp_{alnum:63}'],
  },
  'selectpdf-api-key': {
    secret: ['curl -H "selectpdf-api-key: «{uuid}»" https://api.example.com/v1'],
    clean: [
      'curl -H "selectpdf-api-key: {hex:36}" https://api.example.com/v1',
      'selectpdf_api_key: ${SELECTPDF_API_KEY}',
    ],
  },
  'semaphore-api-key': {
    secret: ['ENV SEMAPHORE_API_KEY «{hex:32}»'],
    clean: ['ENV SEMAPHORE_API_KEY {hex:31}', 'const key = process.env.SEMAPHORE_API_KEY'],
  },
  'sendbird-access-id': {
    secret: ['sendbird-access-id = "«{uuid}»"'],
    clean: ['sendbird-access-id = "{hex:36}"', 'sendbird_access_id is read from the vault'],
  },
  'sendbird-access-token': {
    secret: ['<add key="sendbird_access_token" value="«{hex:40}»" />'],
    clean: [
      '<add key="sendbird_access_token" value="{hex:39}" />',
      'throw new Error("SENDBIRD_ACCESS_TOKEN is not set")',
    ],
  },
  'sendbird-organization-api-key': {
    secret: ['  - name: SENDBIRD_ORGANIZATION_API_KEY     value: «{hex:24}»'],
    clean: [
      '  - name: SENDBIRD_ORGANIZATION_API_KEY     value: {hex:25}',
      'SENDBIRD_ORGANIZATION_API_KEY=<your key>',
    ],
  },
  'sendgrid-api-token': {
    secret: ['(using «SG.{word:22}.{alnum:43}»)'],
    clean: ['(using SG.{word:22}.{alnum:12})'],
  },
  'sendinblue-api-token': {
    secret: ['SENDINBLUE_API_TOKEN=«xkeysib-{hex:64}-{alnum:16}»'],
    clean: ['SENDINBLUE_API_TOKEN=xkeysib-{hex:64}'],
  },
  'sentry-access-token': {
    secret: ['SENTRY_ACCESS_TOKEN=«{hex:64}»'],
    clean: ['SENTRY_ACCESS_TOKEN={hex:63}', 'sentry_access_token is read from the vault'],
  },
  'sentry-integration-token': {
    secret: ['{"token":"«sntryi_{hex:64}»"}'],
    clean: ['{"token":"sntryi_{hex:65}"}'],
  },
  'sentry-org-token': {
    secret: ['new Client("«sntrys_eyJ{alnum:120}=_{base64:42}Q»")'],
    clean: ['new Client("sntrys_eyJ{alnum:120}=")'],
  },
  'sentry-user-token': {
    secret: ['key: «sntryu_{hex:64}» # rotate'],
    clean: ['key: sntryu_{hex:65} # rotate'],
  },
  'serpapi-api-key': {
    secret: ['export SERPAPI_API_KEY="«{hex:64}»"'],
    clean: ['export SERPAPI_API_KEY="{hex:63}"', 'const key = process.env.SERPAPI_API_KEY'],
  },
  'serper-api-key': {
    secret: ['curl -H "serper-api-key: «{hex:40}»" https://api.example.com/v1'],
    clean: [
      'curl -H "serper-api-key: {hex:41}" https://api.example.com/v1',
      'serper_api_key is read from the vault',
    ],
  },
  'serphouse-api-key': {
    secret: ['ENV SERPHOUSE_API_KEY «{alnum:60}»'],
    clean: ['ENV SERPHOUSE_API_KEY {alnum:59}', 'throw new Error("SERPHOUSE_API_KEY is not set")'],
  },
  'serpstack-api-key': {
    secret: ['serpstack-api-key = "«{hex:32}»"'],
    clean: ['serpstack-api-key = "{hex:33}"', 'SERPSTACK_API_KEY=<your key>'],
  },
  'settlemint-application-access-token': {
    secret: ['{"token":"«sm_aat_{alnum:16}»"}'],
    clean: ['{"token":"sm_aat_{alnum:15}"}'],
  },
  'settlemint-personal-access-token': {
    secret: ['new Client("«sm_pat_{alnum:16}»")'],
    clean: ['new Client("sm_pat_{alnum:17}")'],
  },
  'settlemint-service-access-token': {
    secret: ['key: «sm_sat_{alnum:16}» # rotate'],
    clean: ['key: sm_sat_{alnum:15} # rotate'],
  },
  'sherpadesk-api-key': {
    secret: ['{\\"sherpadesk_api_key\\":\\"«{lower:32}»\\"}'],
    clean: [
      '{\\"sherpadesk_api_key\\":\\"{lower:33}\\"}',
      'throw new Error("SHERPADESK_API_KEY is not set")',
    ],
  },
  'shipday-api-key': {
    secret: ['SHIPDAY_API_KEY=«{alnum:10}.{alnum:20}»'],
    clean: ['SHIPDAY_API_KEY={alnum:10}.{alnum:12}', 'SHIPDAY_API_KEY=<your key>'],
  },
  'shippo-api-token': {
    secret: ['SHIPPO_API_TOKEN=«shippo_live_{hex:40}»'],
    clean: ['SHIPPO_API_TOKEN=shippo_live_{hex:41}'],
  },
  'shodan-api-key': {
    secret: ['shodan_api_key: «{alnum:32}»'],
    clean: ['shodan_api_key: {alnum:31}', 'const key = process.env.SHODAN_API_KEY'],
  },
  'shopify-access-token': { secret: ['{"token":"«shpat_{hex:32}»"}'], clean: ['{"token":"shpat_{hex:33}"}'] },
  'shopify-custom-access-token': {
    secret: ['new Client("«shpca_{hex:32}»")'],
    clean: ['new Client("shpca_{hex:31}")'],
  },
  'shopify-private-app-access-token': {
    secret: ['key: «shppa_{hex:32}» # rotate'],
    clean: ['key: shppa_{hex:33} # rotate'],
  },
  'shopify-shared-secret': {
    secret: ['curl -u «shpss_{hex:32}»: https://api.example.com'],
    clean: ['curl -u shpss_{hex:31}: https://api.example.com'],
  },
  'shopify-theme-access-token': { secret: ['(using «shptka_{hex:32}»)'], clean: ['(using shptka_{hex:33})'] },
  'shortcut-api-key': {
    secret: ['<add key="shortcut_api_token" value="«{uuid}»" />'],
    clean: ['<add key="shortcut_api_token" value="{hex:36}" />', 'shortcut_api_token is read from the vault'],
  },
  'shotstack-api-key': {
    secret: ['  - name: SHOTSTACK_API_KEY     value: «{alnum:40}»'],
    clean: [
      '  - name: SHOTSTACK_API_KEY     value: {alnum:41}',
      'throw new Error("SHOTSTACK_API_KEY is not set")',
    ],
  },
  'shutterstock-oauth-token': {
    secret: ['os.environ["SHUTTERSTOCK_OAUTH_TOKEN"] = "«v2/{alnum:388}»"'],
    clean: [
      'os.environ["SHUTTERSTOCK_OAUTH_TOKEN"] = "v2/{alnum:24}"',
      'SHUTTERSTOCK_OAUTH_TOKEN=<your key>',
    ],
  },
  'sidekiq-secret': {
    secret: [
      'BUNDLE_GEMS__CONTRIBSYS__COM=«{hex:8}:{hex:8}»',
      'bundle config --global enterprise.contribsys.com «{hex:8}:{hex:8}»',
    ],
    clean: ['BUNDLE_GEMS__CONTRIBSYS__COM=$SIDEKIQ_LOGIN', 'BUNDLE_GEMS__CONTRIBSYS__COM={hex:8}'],
  },
  'sidekiq-sensitive-url': {
    secret: ["source 'https://«{hex:8}:{hex:8}»@gems.contribsys.com/'"],
    clean: ["source 'https://gems.contribsys.com/{hex:8}'", 'https://{hex:8}:{hex:8}@gems.example.com'],
  },
  'signaturit-api-key': {
    secret: ['"signaturit_api_key": "«{word:86}»",'],
    clean: ['"signaturit_api_key": "{word:77}",', 'signaturit_api_key is read from the vault'],
  },
  'signupgenius-api-key': {
    secret: ['signupgenius_api_key: «{alnum:32}»'],
    clean: ['signupgenius_api_key: {alnum:31}', 'throw new Error("SIGNUPGENIUS_API_KEY is not set")'],
  },
  'sigopt-api-key': {
    secret: ["const sigopt_api_key = '«{upper:48}»'"],
    clean: ["const sigopt_api_key = '{upper:49}'", 'SIGOPT_API_KEY=<your key>'],
  },
  'siliconflow-api-key': {
    secret: ['export SILICONFLOW_API_KEY="«sk-{lower:48}»"'],
    clean: ['export SILICONFLOW_API_KEY="sk-{lower:47}"', 'siliconflow_api_key: ${SILICONFLOW_API_KEY}'],
  },
  'simfin-api-key': {
    secret: ['curl -H "simfin-api-key: «{alnum:32}»" https://api.example.com/v1'],
    clean: [
      'curl -H "simfin-api-key: {alnum:33}" https://api.example.com/v1',
      'const key = process.env.SIMFIN_API_KEY',
    ],
  },
  'simplesat-api-key': {
    secret: ['ENV SIMPLESAT_API_KEY «{hex:40}»'],
    clean: ['ENV SIMPLESAT_API_KEY {hex:39}', 'simplesat_api_key is read from the vault'],
  },
  'simplynoted-api-key': {
    secret: ['simplynoted-api-key = "«{alnum:150}.{alnum:199}»"'],
    clean: ['simplynoted-api-key = "{alnum:150}"', 'throw new Error("SIMPLYNOTED_API_KEY is not set")'],
  },
  'simvoly-api-key': {
    secret: ['<add key="simvoly_api_key" value="«{alnum:33}»" />'],
    clean: ['<add key="simvoly_api_key" value="{alnum:32}" />', 'SIMVOLY_API_KEY=<your key>'],
  },
  'skrapio-api-key': {
    secret: ['  - name: SKRAPIO_API_KEY     value: «{alnum:20}»'],
    clean: ['  - name: SKRAPIO_API_KEY     value: {alnum:21}', 'skrapio_api_key: ${SKRAPIO_API_KEY}'],
  },
  'slack-app-token': {
    secret: ['SLACK_APP_TOKEN=«xapp-1-A{upper:10}-{digits:13}-{hex:64}»'],
    clean: ['SLACK_APP_TOKEN=xapp-1-A{upper:10}-{digits:13}'],
  },
  'slack-bot-token': {
    secret: ['Authorization: Bearer «xoxb-{digits:12}-{digits:13}-{alnum:24}»'],
    clean: ['Authorization: Bearer xoxb-{digits:12}-your-token'],
  },
  'slack-config-access-token': {
    secret: ['{"token":"«xoxe.xoxp-1-{upper:166}»"}'],
    clean: ['{"token":"xoxe.xoxp-1-{upper:20}"}'],
  },
  'slack-config-refresh-token': {
    secret: ['new Client("«xoxe-1-{upper:146}»")'],
    clean: ['new Client("xoxe-1-{upper:20}")'],
  },
  'slack-legacy-bot-token': {
    secret: ['key: «xoxb-{digits:12}-{alnum:24}» # rotate'],
    clean: ['key: xoxb-not-a-real-token # rotate'],
  },
  'slack-legacy-token': {
    secret: ['curl -u «xoxs-{digits:10}-{digits:10}-{digits:10}-{hex:10}»: https://api.example.com'],
    clean: ['curl -u xoxs-{digits:10}-token: https://api.example.com'],
  },
  'slack-legacy-workspace-token': {
    secret: ['(using «xoxa-2-{alnum:48}»)'],
    clean: ['(using xoxa-2-short)'],
  },
  'slack-session-cookie': {
    secret: ['SLACK_SESSION_COOKIE=«xoxd-{alnum:60}%2B{alnum:80}%3D»'],
    clean: ['SLACK_SESSION_COOKIE=xoxd-cookie'],
  },
  'slack-session-token': {
    secret: ['Authorization: Bearer «xoxc-{digits:12}-{digits:12}-{digits:13}-{hex:64}»'],
    clean: ['Authorization: Bearer xoxc-{digits:12}-{digits:12}'],
  },
  'slack-user-token': {
    secret: ['{"token":"«xoxp-{digits:12}-{digits:12}-{digits:13}-{hex:32}»"}'],
    clean: ['{"token":"xoxp-{digits:12}-{digits:12}"}'],
  },
  'slack-webhook-url': {
    secret: [
      "curl -X POST https://hooks.slack.com/services/«T{upper:10}/B{upper:10}/{alnum:24}» -d '{}'",
      'url: https://hooks.slack.com/triggers/«T{upper:10}/{digits:13}/{hex:32}»',
    ],
    clean: [
      'https://hooks.slack.com/services/T000/B000/XXXX',
      'see https://api.slack.com/messaging/webhooks',
    ],
  },
  'smartsheets-api-key': {
    secret: ['  - name: SMARTSHEETS_API_KEY     value: «{alnum:37}»'],
    clean: [
      '  - name: SMARTSHEETS_API_KEY     value: {alnum:38}',
      'smartsheets_api_key is read from the vault',
    ],
  },
  'smtp2go-api-key': {
    secret: ['curl -u «api-{HEX:32}»: https://api.example.com'],
    clean: ['curl -u api-{hex:32}: https://api.example.com'],
  },
  'snipcart-api-key': {
    secret: ['{\\"snipcart_api_key\\":\\"«{alnum:75}»\\"}'],
    clean: ['{\\"snipcart_api_key\\":\\"{alnum:40}\\"}', 'SNIPCART_API_KEY=<your key>'],
  },
  'snowflake-password': {
    secret: ['SNOWSQL_PWD=«Zq{digits:1}x!{alnum:12}»', '"snowflake_password": "«{alnum:14}»"'],
    clean: [
      'snowflake_password = os.environ["SNOWFLAKE_PASSWORD"]',
      'SNOWFLAKE_PASSWORD=${SNOWFLAKE_PASSWORD}',
    ],
  },
  'snowflake-programmatic-access-token': {
    secret: ['"snowflake_programmatic_access_token": "«eyJ{word:30}.eyJ{word:60}.{word:43}»",'],
    clean: [
      '"snowflake_programmatic_access_token": "eyJ{word:30}.{digits:6}",',
      'const key = process.env.SNOWFLAKE_PROGRAMMATIC_ACCESS_TOKEN',
    ],
  },
  'snyk-api-token': {
    secret: ['snyk_api_token: «{uuid}»'],
    clean: ['snyk_api_token: {hex:36}', 'snyk_api_token is read from the vault'],
  },
  'snyk-personal-access-token': {
    secret: ['new Client("«snyk_uat.{hex:8}.{alnum:60}.{alnum:60}»")'],
    clean: ['new Client("snyk_uat.{hex:8}")'],
  },
  'sonar-api-token': {
    secret: ['export SONAR_TOKEN="«{hex:40}»"'],
    clean: ['export SONAR_TOKEN="{hex:24}"', 'SONAR_TOKEN=<your key>'],
  },
  'sonarqube-token': {
    secret: ['curl -u «sqp_{hex:40}»: https://api.example.com'],
    clean: ['curl -u sqp_{hex:41}: https://api.example.com'],
  },
  'sourcegraph-access-token': {
    secret: ['(using «sgp_{hex:16}_{hex:40}»)'],
    clean: ['(using sgp_{hex:16}_{hex:30})'],
  },
  'sourcegraph-api-key': {
    secret: ['sourcegraph-api-key = "«{hex:40}»"'],
    clean: ['sourcegraph-api-key = "{hex:41}"', 'sourcegraph_api_key is read from the vault'],
  },
  'sourcegraph-cody-api-key': {
    secret: ['Authorization: Bearer «slk_{hex:64}»'],
    clean: ['Authorization: Bearer slk_{hex:63}'],
  },
  'sparkpost-api-key': {
    secret: ['  - name: SPARKPOST_API_KEY     value: «{hex:40}»'],
    clean: ['  - name: SPARKPOST_API_KEY     value: {hex:41}', 'SPARKPOST_API_KEY=<your key>'],
  },
  'speechmatics-api-key': {
    secret: ['os.environ["SPEECHMATICS_API_KEY"] = "«{alnum:32}»"'],
    clean: [
      'os.environ["SPEECHMATICS_API_KEY"] = "{alnum:31}"',
      'speechmatics_api_key: ${SPEECHMATICS_API_KEY}',
    ],
  },
  'speechtextai-api-key': {
    secret: ['{\\"speechtextai_api_key\\":\\"«{hex:32}»\\"}'],
    clean: ['{\\"speechtextai_api_key\\":\\"{hex:33}\\"}', 'const key = process.env.SPEECHTEXTAI_API_KEY'],
  },
  'splunk-hec-token': {
    secret: ['SPLUNK_HEC_TOKEN=«{uuid}»'],
    clean: ['SPLUNK_HEC_TOKEN={hex:36}', 'splunk_hec_token is read from the vault'],
  },
  'splunk-observability-token': {
    secret: ['"splunk_access_token": "«{word:22}»",'],
    clean: ['"splunk_access_token": "{word:13}",', 'throw new Error("SPLUNK_ACCESS_TOKEN is not set")'],
  },
  'spoonacular-api-key': {
    secret: ['spoonacular_api_key: «{hex:32}»'],
    clean: ['spoonacular_api_key: {hex:31}', 'SPOONACULAR_API_KEY=<your key>'],
  },
  'sportsmonk-api-key': {
    secret: ["const sportsmonk_api_key = '«{alnum:60}»'"],
    clean: ["const sportsmonk_api_key = '{alnum:61}'", 'sportsmonk_api_key: ${SPORTSMONK_API_KEY}'],
  },
  'spotify-api-secret': {
    secret: ['export SPOTIFY_API_SECRET="«{hex:32}»"'],
    clean: ['export SPOTIFY_API_SECRET="{hex:31}"', 'const key = process.env.SPOTIFY_API_SECRET'],
  },
  'square-access-token': {
    secret: ['new Client("«sq0atp-{word:22}»")', 'square_access_token: "«EAAA{word:60}»"'],
    clean: ['new Client("sq0atp-{word:12}")'],
  },
  'square-oauth-secret': {
    secret: ['key: «sq0csp-{word:43}» # rotate'],
    clean: ['key: sq0csp-{word:20} # rotate'],
  },
  'squarespace-access-token': {
    secret: ['squarespace-access-token = "«{uuid}»"'],
    clean: ['squarespace-access-token = "{hex:36}"', 'SQUARESPACE_ACCESS_TOKEN=<your key>'],
  },
  'squareup-api-key': { secret: ['(using «sq0idp-{word:22}»)'], clean: ['(using sq0idp-{word:12})'] },
  'sslmate-api-key': {
    secret: ['  - name: SSLMATE_API_KEY     value: «{alnum:36}»'],
    clean: ['  - name: SSLMATE_API_KEY     value: {alnum:37}', 'const key = process.env.SSLMATE_API_KEY'],
  },
  'stability-ai-api-key': {
    secret: ['os.environ["STABILITY_AI_API_KEY"] = "«sk-{alnum:48}»"'],
    clean: [
      'os.environ["STABILITY_AI_API_KEY"] = "sk-{alnum:47}"',
      'stability_ai_api_key is read from the vault',
    ],
  },
  'stackhawk-api-key': {
    secret: ['{"token":"«hawk.{word:20}.{word:20}»"}'],
    clean: ['{"token":"hawk.{alnum:20}.scan"}'],
  },
  'statsig-secret-key': {
    secret: ['new Client("«secret-{alnum:43}»")'],
    clean: ['new Client("secret-{alnum:12}")'],
  },
  'statuscake-api-key': {
    secret: ['"statuscake_api_key": "«{alnum:30}»",'],
    clean: ['"statuscake_api_key": "{alnum:31}",', 'statuscake_api_key: ${STATUSCAKE_API_KEY}'],
  },
  'statuspage-api-key': {
    secret: ['statuspage_api_key: «{hex:64}»'],
    clean: ['statuspage_api_key: {hex:63}', 'const key = process.env.STATUSPAGE_API_KEY'],
  },
  'statuspal-api-key': {
    secret: ["const statuspal_api_key = '«uk_{alnum:48}»'"],
    clean: ["const statuspal_api_key = '{alnum:12}'", 'statuspal_api_key is read from the vault'],
  },
  'steam-web-api-key': {
    secret: ['export STEAM_WEB_API_KEY="«{HEX:32}»"'],
    clean: ['export STEAM_WEB_API_KEY="{HEX:31}"', 'throw new Error("STEAM_WEB_API_KEY is not set")'],
  },
  'stitchdata-api-key': {
    secret: ['curl -H "stitchdata-api-key: «{hex:64}»" https://api.example.com/v1'],
    clean: [
      'curl -H "stitchdata-api-key: {hex:65}" https://api.example.com/v1',
      'STITCHDATA_API_KEY=<your key>',
    ],
  },
  'stockdata-api-key': {
    secret: ['ENV STOCKDATA_API_KEY «{alnum:40}»'],
    clean: ['ENV STOCKDATA_API_KEY {alnum:39}', 'stockdata_api_key: ${STOCKDATA_API_KEY}'],
  },
  'storecove-api-key': {
    secret: ['storecove-api-key = "«{word:43}»"'],
    clean: ['storecove-api-key = "{word:34}"', 'const key = process.env.STORECOVE_API_KEY'],
  },
  'stormboard-api-key': {
    secret: ['<add key="stormboard_api_key" value="«{hex:40}»" />'],
    clean: ['<add key="stormboard_api_key" value="{hex:39}" />', 'stormboard_api_key is read from the vault'],
  },
  'stormglass-api-key': {
    secret: ['  - name: STORMGLASS_API_KEY     value: «{uuid}-{uuid}»'],
    clean: [
      '  - name: STORMGLASS_API_KEY     value: {uuid}',
      'throw new Error("STORMGLASS_API_KEY is not set")',
    ],
  },
  'storyblok-secret': {
    secret: ['os.environ["STORYBLOK_SECRET"] = "«{alnum:22}tt»"'],
    clean: ['os.environ["STORYBLOK_SECRET"] = "{alnum:12}tt"', 'STORYBLOK_SECRET=<your key>'],
  },
  'storychief-api-key': {
    secret: ['{\\"storychief_api_key\\":\\"«eyJ{word:30}.eyJ{word:60}.{word:43}»\\"}'],
    clean: [
      '{\\"storychief_api_key\\":\\"eyJ{word:30}.{digits:6}\\"}',
      'storychief_api_key: ${STORYCHIEF_API_KEY}',
    ],
  },
  'strapi-api-token': {
    secret: ['STRAPI_API_TOKEN=«{hex:256}»'],
    clean: ['STRAPI_API_TOKEN={hex:255}', 'const key = process.env.STRAPI_API_TOKEN'],
  },
  'strava-client-secret': {
    secret: ['"strava_client_secret": "«{hex:40}»",'],
    clean: ['"strava_client_secret": "{hex:41}",', 'strava_client_secret is read from the vault'],
  },
  'streak-api-key': {
    secret: ['streak_api_key: «{hex:32}»'],
    clean: ['streak_api_key: {hex:31}', 'throw new Error("STREAK_API_KEY is not set")'],
  },
  'stripe-access-token': {
    secret: ['key: «sk_live_{alnum:24}» # rotate', 'STRIPE_RESTRICTED=«rk_test_51{alnum:97}»'],
    clean: ['key: sk_live_key # rotate'],
  },
  'stripe-webhook-secret': {
    secret: ['curl -u «whsec_{alnum:32}»: https://api.example.com'],
    clean: ['curl -u whsec_test: https://api.example.com'],
  },
  'stripo-jwt-token': {
    secret: ['curl -H "stripo-jwt-token: «eyJ{word:30}.eyJ{word:60}.{word:43}»" https://api.example.com/v1'],
    clean: [
      'curl -H "stripo-jwt-token: eyJ{word:30}.{digits:6}" https://api.example.com/v1',
      'const key = process.env.STRIPO_JWT_TOKEN',
    ],
  },
  'stytch-secret': {
    secret: ['STYTCH_SECRET=«secret-live-{word:36}»'],
    clean: ['STYTCH_SECRET=secret-live-key'],
  },
  'sumologic-access-id': {
    secret: ['sumologic-access-id = "«su{alnum:12}»"'],
    clean: ['sumologic-access-id = "su{alnum:13}"', 'throw new Error("SUMOLOGIC_ACCESS_ID is not set")'],
  },
  'sumologic-access-token': {
    secret: ['<add key="sumologic_access_token" value="«{alnum:64}»" />'],
    clean: ['<add key="sumologic_access_token" value="{alnum:63}" />', 'SUMOLOGIC_ACCESS_TOKEN=<your key>'],
  },
  'sumup-api-key': {
    secret: ['new Client("«sup_sk_{alnum:32}»")'],
    clean: ['new Client("sup_sk_{alnum:8}")'],
  },
  'supabase-api-key': {
    secret: ['key: «sb_secret_{alnum:22}_{alnum:8}» # rotate'],
    clean: ['key: sb_secret_{alnum:6} # rotate'],
  },
  'supabase-management-token': {
    secret: [
      'curl -u «sbp_{hex:40}»: https://api.example.com',
      'supabase login --token «sbp_oauth_{hex:40}»',
    ],
    clean: ['curl -u sbp_{hex:41}: https://api.example.com'],
  },
  'supabase-project-api-key': {
    secret: ['SUPABASE_PROJECT_API_KEY=«eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    clean: [
      'SUPABASE_PROJECT_API_KEY=eyJ{word:30}.{digits:6}',
      'throw new Error("SUPABASE_PROJECT_API_KEY is not set")',
    ],
  },
  'supernotes-api-key': {
    secret: ['"supernotes_api_key": "«{word:43}»",'],
    clean: ['"supernotes_api_key": "{word:34}",', 'SUPERNOTES_API_KEY=<your key>'],
  },
  'surveybot-api-key': {
    secret: ['surveybot_api_key: «{alnum:80}»'],
    clean: ['surveybot_api_key: {alnum:79}', 'surveybot_api_key: ${SURVEYBOT_API_KEY}'],
  },
  'surveysparrow-api-key': {
    secret: ["const surveysparrow_api_key = '«{word:88}»'"],
    clean: ["const surveysparrow_api_key = '{word:40}'", 'const key = process.env.SURVEYSPARROW_API_KEY'],
  },
  'survicate-api-key': {
    secret: ['export SURVICATE_API_KEY="«{hex:32}»"'],
    clean: ['export SURVICATE_API_KEY="{hex:31}"', 'survicate_api_key is read from the vault'],
  },
  'swaggerhub-api-key': {
    secret: ['curl -H "swaggerhub-api-key: «{uuid}»" https://api.example.com/v1'],
    clean: [
      'curl -H "swaggerhub-api-key: {hex:36}" https://api.example.com/v1',
      'throw new Error("SWAGGERHUB_API_KEY is not set")',
    ],
  },
  'swiftype-api-key': {
    secret: ['ENV SWIFTYPE_API_KEY «{word:20}»'],
    clean: ['ENV SWIFTYPE_API_KEY {word:11}', 'SWIFTYPE_API_KEY=<your key>'],
  },
}
