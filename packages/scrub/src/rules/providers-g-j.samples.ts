import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesGJ: RuleSamples = {
  'gcp-api-key': { secret: ['GOOGLE_API_KEY=«AIza{word:34}a»'], clean: ['google_api_key: AIza{alnum:20}'] },
  'gcp-gemini-auth-key': {
    secret: ['Authorization: Bearer «AQ.A{word:48}a»'],
    clean: ['GEMINI_API_KEY=AQ.A{alnum:20}'],
  },
  'gcp-private-key-id': { secret: ['private_key_id: «{hex:40}»'], clean: ['private_key_id: {hex:32}'] },
  'geckoboard-api-key': {
    secret: ["const geckoboard_api_key = '«{hex:32}»'", "    'geckoboard_api_key' => '«{alnum:44}»',"],
    clean: ['GECKOBOARD_API_KEY={alnum:40}', 'geckoboard_api_key: <your key here>'],
  },
  'geoapify-api-key': {
    secret: ['export GEOAPIFY_API_KEY="«{hex:32}»"'],
    clean: ['geoapify_api_key: {hex:24}'],
  },
  'geocode-api-key': { secret: ['geocode_api_key = "«{lower:28}»"'], clean: ['GEOCODE_API_KEY={lower:24}'] },
  'geocodify-api-key': {
    secret: ['docker run -e GEOCODIFY_API_KEY=«{hex:40}» acme/app'],
    clean: ['geocodify_api_key: {hex:32}', 'geocodify_api_key = os.environ["GEOCODIFY_API_KEY"]'],
  },
  'geocodio-api-key': {
    secret: ['- name: GEOCODIO_API_KEY\n  value: «{hex:39}»'],
    clean: ['GEOCODIO_API_KEY={hex:40}'],
  },
  'geoipifi-api-key': {
    secret: ['| ci | `«at_{alnum:29}»` | admin |'],
    clean: ['geo_ipify_key: at_{alnum:20}', 'GEO_IPIFY_KEY=at_least_one_of_the_following'],
  },
  'getemail-api-key': {
    secret: ['<add key="getemail_api_key" value="«{alnum:20}»" />'],
    clean: ['GETEMAIL_API_KEY={alnum:12}', 'GETEMAIL_API_KEY=${GETEMAIL_API_KEY}'],
  },
  'getgeoapi-key': { secret: ['{\\"getgeoapi_key\\":\\"«{hex:40}»\\"}'], clean: ['getgeoapi_key: {hex:32}'] },
  'getgist-api-key': {
    secret: ["os.environ['GETGIST_API_KEY'] = '«{alnum:66}==»'"],
    clean: ['GETGIST_API_KEY={alnum:40}'],
  },
  'getresponse-api-key': {
    secret: ['set -x GETRESPONSE_API_KEY «{lower:32}»'],
    clean: ['getresponse_api_key: {lower:24}', 'see GETRESPONSE_API_KEY in the manual'],
  },
  'ghost-admin-api-key': {
    secret: ['ENV GHOST_ADMIN_API_KEY «{hex:24}:{hex:64}»'],
    clean: ['GHOST_ADMIN_API_KEY={hex:24}'],
  },
  'gitbook-api-token': {
    secret: ['GITBOOK_TOKEN=«gb_api_{alnum:40}»'],
    clean: ['gitbook_token: gb_api_{alnum:10}'],
  },
  'gitea-access-token': {
    secret: ['"gitea_token": "«{hex:40}»",'],
    clean: ['GITEA_TOKEN={hex:32}', 'GITEA_TOKEN='],
  },
  'gitguardian-api-token': {
    secret: ['gitguardian_api_key: «{alnum:71}»'],
    clean: ['gitguardian_api_key: {alnum:64}'],
  },
  'github-app-token': {
    secret: ["login('«ghs_{alnum:36}»')", '| ci | `«ghu_{alnum:36}»` | admin |'],
    clean: ['GITHUB_TOKEN=ghs_{alnum:20}'],
  },
  'github-fine-grained-pat': {
    secret: ['<token>«github_pat_{alnum:22}_{alnum:59}»</token>'],
    clean: ['gh_token: github_pat_{alnum:12}'],
  },
  'github-oauth': {
    secret: ['GET /v1/me?token=«gho_{alnum:36}»&page=2'],
    clean: ['GITHUB_OAUTH_TOKEN=gho_{alnum:20}'],
  },
  'github-pat': {
    secret: [
      'git clone https://oauth2:«ghp_{alnum:36}»@github.com/acme/app.git',
      '"GITHUB_PAT=«ghp_{alnum:36}»",',
    ],
    clean: ['github_pat: ghp_{alnum:30}', 'GITHUB_PAT=ghp_import_all_the_pages_to_a_branch'],
  },
  'github-refresh-token': {
    secret: ['error: 401 for key «ghr_{alnum:76}», giving up'],
    clean: ['GITHUB_REFRESH_TOKEN=ghr_{alnum:20}'],
  },
  'github-secret-key': {
    secret: ["    'github_client_secret' => '«{hex:40}»',"],
    clean: ['github_client_secret: {hex:32}', 'uses: github/codeql-action/init@{hex:40}'],
  },
  'gitlab-cicd-job-token': {
    secret: ['+CI_JOB_TOKEN: «glcbt-64_{word:19}a»'],
    clean: ['CI_JOB_TOKEN=glcbt-64_{alnum:6}'],
  },
  'gitlab-deploy-token': {
    secret: ['curl -u «gldt-{word:19}a»: https://api.example.com'],
    clean: ['gitlab_deploy_token: gldt-{alnum:8}'],
  },
  'gitlab-feature-flag-client-token': {
    secret: ['"UNLEASH_TOKEN=«glffct-{word:19}a»",'],
    clean: ['UNLEASH_TOKEN=glffct-{alnum:8}'],
  },
  'gitlab-feed-token': {
    secret: ['https://gitlab.com/acme.atom?feed_token=«glft-{word:19}a»'],
    clean: ['feed_token: glft-{alnum:8}'],
  },
  'gitlab-incoming-mail-token': {
    secret: ['auth_token = "«glimt-{word:24}a»"'],
    clean: ['MAIL_TOKEN=glimt-{alnum:8}'],
  },
  'gitlab-kubernetes-agent-token': {
    secret: ['helm install agent gitlab/gitlab-agent --set config.token=«glagent-{word:49}a»'],
    clean: ['agent_token: glagent-{alnum:20}'],
  },
  'gitlab-oauth-app-secret': {
    secret: ['Authorization: Bearer «gloas-{hex:64}»'],
    clean: ['GITLAB_APP_SECRET=gloas-{hex:32}'],
  },
  'gitlab-pat': { secret: ['PRIVATE-TOKEN: «glpat-{word:19}a»'], clean: ['gitlab_token: glpat-{alnum:12}'] },
  'gitlab-pat-routable': {
    secret: ["login('«glpat-{word:50}a.{lower:9}»')"],
    clean: ['GITLAB_TOKEN=glpat-{alnum:20}.{lower:4}'],
  },
  'gitlab-pat-routable-versioned': {
    secret: ['<token>«glpat-{word:50}a.01.{lower:9}»</token>'],
    clean: ['gitlab_token: glpat-{word:50}a.{lower:9}'],
  },
  'gitlab-ptt': {
    secret: [
      'curl -X POST -F token=«glptt-{hex:40}» -F ref=main https://gitlab.com/api/v4/projects/1/trigger/pipeline',
    ],
    clean: ['TRIGGER_TOKEN=glptt-{hex:20}'],
  },
  'gitlab-rrt': {
    secret: ['{\\"auth\\":\\"«GR1348941{word:19}a»\\"}'],
    clean: ['registration_token: GR1348941{alnum:8}'],
  },
  'gitlab-runner-authentication-token': {
    secret: ['error: 401 for key «glrt-{word:19}a», giving up'],
    clean: ['CI_RUNNER_TOKEN=glrt-{alnum:8}'],
  },
  'gitlab-runner-authentication-token-routable': {
    secret: [
      '| ci | `«glrt-t3_{word:40}a.{lower:9}»` | admin |',
      'auth_token = "«glrt-t1_{word:40}a.01.{lower:9}»"',
    ],
    clean: ['ci_runner_token: glrt-t3_{alnum:20}.{lower:4}'],
  },
  'gitlab-scim-token': {
    secret: ['+SCIM_TOKEN: «glsoat-{word:19}a»'],
    clean: ['SCIM_TOKEN=glsoat-{alnum:8}'],
  },
  'gitlab-session-cookie': {
    secret: ['Cookie: _gitlab_session=«{hex:32}»; sidebar_collapsed=false'],
    clean: ['Cookie: _gitlab_session={hex:8}'],
  },
  'gitlab-workspace-token': {
    secret: ['"WORKSPACE_TOKEN=«glwt-{word:19}a»",'],
    clean: ['WORKSPACE_TOKEN=glwt-{alnum:8}'],
  },
  'gitter-access-token': { secret: ['set -x GITTER_TOKEN «{hex:40}»'], clean: ['gitter_token: {hex:30}'] },
  'gladia-api-key': { secret: ['x-gladia-key: «{uuid}»'], clean: ['x-gladia-key: {hex:32}'] },
  'glassnode-api-key': {
    secret: ['GLASSNODE_API_KEY=«{alnum:27}»'],
    clean: ['glassnode_api_key: {alnum:24}', 'see GLASSNODE_API_KEY in the manual'],
  },
  'gocardless-api-token': {
    secret: ['"gocardless_access_token": "«live_{word:39}a»",'],
    clean: ['GOCARDLESS_ACCESS_TOKEN=live_{alnum:20}'],
  },
  'godaddy-api-key': {
    secret: [
      'godaddy_api_secret: «{alnum:22}»',
      '- name: GODADDY_API_SECRET\n  value: «{alnum:12}_{alnum:22}»',
    ],
    clean: ['godaddy_api_secret: {alnum:20}'],
  },
  'goodday-api-key': {
    secret: ["const goodday_api_token = '«{hex:32}»'"],
    clean: ['GOODDAY_API_TOKEN={hex:24}', 'GOODDAY_API_TOKEN='],
  },
  'google-chat-webhook': {
    secret: [
      'https://chat.googleapis.com/v1/spaces/AAAA{alnum:7}/messages?key={alnum:39}&token=«{word:42}a»',
    ],
    clean: ['https://chat.googleapis.com/v1/spaces/AAAA{alnum:7}/messages?pageSize=10'],
  },
  'google-legacy-client-secret': {
    secret: ['google_client_secret = "«{alnum:24}»"'],
    clean: ['GOOGLE_CLIENT_SECRET={alnum:18}'],
  },
  'google-oauth-access-token': {
    secret: ['Authorization: Bearer «ya29.{word:160}a»', '"ACCESS_TOKEN=«ya29.c.c0{word:200}a»",'],
    clean: ['access_token: ya29.{alnum:10}'],
  },
  'google-oauth-client-secret': {
    secret: ['error: 401 for key «GOCSPX-{word:27}a», giving up'],
    clean: ['client_secret=GOCSPX-{alnum:12}'],
  },
  'google-oauth-refresh-token': {
    secret: ['| ci | `«1//0{word:98}a»` | admin |'],
    clean: ['refresh_token: 1//0{alnum:12}'],
  },
  'google-recaptcha-secret': {
    secret: ['<add key="recaptcha_secret_key" value="«6L{word:37}a»" />'],
    clean: ['RECAPTCHA_SECRET_KEY=6L{alnum:20}', 'recaptcha_secret_key = os.environ["RECAPTCHA_SECRET_KEY"]'],
  },
  'grafana-api-key': {
    secret: ['curl -u «eyJrIjoi{alnum:96}==»: https://api.example.com'],
    clean: ['grafana_api_key: eyJrIjoi{alnum:20}'],
  },
  'grafana-cloud-api-token': {
    secret: ['"GRAFANA_CLOUD_TOKEN=«glc_{alnum:120}=»",'],
    clean: ['GRAFANA_CLOUD_TOKEN=glc_{alnum:12}'],
  },
  'grafana-service-account-token': {
    secret: ['7,acme,«glsa_{alnum:32}_{hex:8}»,active'],
    clean: ['grafana_token: glsa_{alnum:32}'],
  },
  'graphhopper-api-key': { secret: ['ENV GRAPHHOPPER_KEY «{uuid}»'], clean: ['GRAPHHOPPER_KEY={hex:20}'] },
  'greptile-api-key': {
    secret: ['GREPTILE_API_KEY=«{base64:43}a»'],
    clean: ['greptile_api_key: {alnum:12}'],
  },
  'groovehq-api-key': {
    secret: ['"groovehq_token": "«{hex:64}»",'],
    clean: ['GROOVEHQ_TOKEN={hex:40}', 'see GROOVEHQ_TOKEN in the manual'],
  },
  'groq-api-key': {
    secret: ['{"token":"«gsk_{alnum:52}»","ttl":60}'],
    clean: ['groq_api_key: gsk_{alnum:20}'],
  },
  'gtmetrix-api-key': {
    secret: ["const gtmetrix_api_key = '«{hex:32}»'"],
    clean: ['GTMETRIX_API_KEY={hex:24}'],
  },
  'guardian-api-key': {
    secret: ['export GUARDIAN_API_KEY="«{uuid}»"'],
    clean: ['guardian_api_key: {hex:20}', 'GUARDIAN_API_KEY='],
  },
  'gumroad-api-key': {
    secret: ['gumroad_access_token = "«{word:42}a»"', '{\\"gumroad_access_token\\":\\"«{hex:64}»\\"}'],
    clean: ['GUMROAD_ACCESS_TOKEN={alnum:30}'],
  },
  'gyazo-api-key': {
    secret: ['docker run -e GYAZO_ACCESS_TOKEN=«{word:42}a» acme/app'],
    clean: ['gyazo_access_token: {alnum:32}'],
  },
  'happyscribe-api-key': {
    secret: ['- name: HAPPYSCRIBE_API_KEY\n  value: «{alnum:24}»'],
    clean: ['HAPPYSCRIBE_API_KEY={alnum:20}', 'happyscribe_api_key: <your key here>'],
  },
  'harness-api-key': {
    secret: ['| ci | `«pat.{word:22}.{hex:24}.{alnum:20}»` | admin |'],
    clean: ['harness_platform_api_key: pat.{word:22}.{hex:24}'],
  },
  'hashicorp-tf-api-token': {
    secret: ['credentials "app.terraform.io" { token = "«{alnum:14}.atlasv1.{word:66}a»" }'],
    clean: ['TFE_TOKEN={alnum:14}.atlasv1.{alnum:20}'],
  },
  'hashicorp-tf-password': {
    secret: [
      '  administrator_login_password = "«{[abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#%]:18}»"',
    ],
    clean: [
      '  administrator_login_password = "${var.admin_password}"',
      '  master_password = var.master_password',
    ],
  },
  'hasura-admin-secret': {
    secret: ['x-hasura-admin-secret: «{alnum:64}»'],
    clean: ['x-hasura-admin-secret: {alnum:12}'],
  },
  'hcp-client-secret': {
    secret: ['set -x HCP_CLIENT_SECRET «{word:63}a»'],
    clean: ['hcp_client_secret: {alnum:40}'],
  },
  'helicone-api-key': {
    secret: ['auth_token = "«sk-helicone-{lower:7}-{lower:7}-{lower:7}-{lower:7}»"'],
    clean: ['HELICONE_API_KEY=sk-helicone-{lower:7}'],
  },
  'hellosign-api-key': { secret: ['HELLOSIGN_API_KEY=«{hex:64}»'], clean: ['hellosign_api_key: {hex:40}'] },
  'helpcrunch-api-key': {
    secret: ['"helpcrunch_api_key": "«{base64:327}a»",'],
    clean: ['HELPCRUNCH_API_KEY={alnum:100}'],
  },
  'helpscout-api-key': {
    secret: ['helpscout_api_key: «{hex:40}»', '- name: HELPSCOUT_API_KEY\n  value: «{alnum:56}»'],
    clean: ['helpscout_api_key: {alnum:48}', 'see HELPSCOUT_API_KEY in the manual'],
  },
  'hereapi-key': { secret: ["const here_api_key = '«{word:42}a»'"], clean: ['HERE_API_KEY={alnum:30}'] },
  'heroku-api-key': { secret: ['export HEROKU_API_KEY="«{uuid}»"'], clean: ['heroku_api_key: {hex:32}'] },
  'heroku-api-key-v2': {
    secret: ['GET /v1/me?token=«HRKU-AA{word:57}a»&page=2', 'curl -u «HRKU-{uuid}»: https://api.example.com'],
    clean: ['HEROKU_API_KEY=HRKU-{alnum:20}'],
  },
  'hetzner-api-token': {
    secret: ['docker run -e HCLOUD_TOKEN=«{alnum:64}» acme/app'],
    clean: ['hcloud_token: {alnum:40}'],
  },
  'highnote-secret-live-key': {
    secret: ['error: 401 for key «sk_live_{base64:60}a=», giving up'],
    clean: ['HIGHNOTE_API_KEY=sk_live_{alnum:8}'],
  },
  'hiveage-api-key': {
    secret: ["    'hiveage_api_key' => '«{alnum:20}»',"],
    clean: ['hiveage_api_key: {alnum:16}', 'hiveage_api_key: <your key here>'],
  },
  'holiday-api-key': {
    secret: ['<add key="holiday_api_key" value="«{uuid}»" />'],
    clean: ['HOLIDAY_API_KEY={hex:20}'],
  },
  'holistic-api-key': {
    secret: ['{\\"holistic_api_key\\":\\"«{alnum:20}»\\"}'],
    clean: ['holistic_api_key: {alnum:12}'],
  },
  'honeycomb-api-key': {
    secret: [
      'X-Honeycomb-Team: «{alnum:22}»',
      'curl -H "X-Honeycomb-Team: «{hex:32}»" https://api.example.com',
    ],
    clean: ['X-Honeycomb-Team: {alnum:18}', 'X-Honeycomb-Team = os.environ["X-Honeycomb-Team"]'],
  },
  'honeycomb-ingest-key': {
    secret: ['7,acme,«hcaik_{lower:58}»,active'],
    clean: ['honeycomb_api_key: hcaik_{lower:12}'],
  },
  'html2pdf-api-key': {
    secret: ['ENV HTML2PDF_API_KEY «{alnum:64}»'],
    clean: ['HTML2PDF_API_KEY={alnum:50}'],
  },
  'hubspot-api-key': {
    secret: ['HUBSPOT_API_KEY=«{uuid}»'],
    clean: ['hubspot_api_key: {hex:20}', 'HUBSPOT_API_KEY=${HUBSPOT_API_KEY}'],
  },
  'hubspot-private-app-token': {
    secret: ['Authorization: Bearer «pat-na1-{uuid}»'],
    clean: ['HUBSPOT_ACCESS_TOKEN=pat-na1-{hex:8}'],
  },
  'huggingface-access-token': {
    secret: ['{"token":"«hf_{letters:34}»","ttl":60}'],
    clean: ['hf_token: hf_{letters:20}', 'HF_TOKEN=hf_hub_download_with_progress_callbacks'],
  },
  'huggingface-organization-api-token': {
    secret: ["login('«api_org_{letters:34}»')"],
    clean: ['HF_ORG_TOKEN=api_org_{letters:12}'],
  },
  'humanity-api-key': {
    secret: ['export HUMANITY_ACCESS_TOKEN="«{lower:40}»"'],
    clean: ['humanity_access_token: {lower:32}'],
  },
  'hunter-api-key': { secret: ['hunter_api_key = "«{hex:40}»"'], clean: ['HUNTER_API_KEY={hex:32}'] },
  'hybiscus-api-key': {
    secret: ['docker run -e HYBISCUS_API_KEY=«{word:42}a» acme/app'],
    clean: ['hybiscus_api_key: {alnum:30}', 'HYBISCUS_API_KEY='],
  },
  'ibm-cloud-user-key': {
    secret: ['- name: IBMCLOUD_API_KEY\n  value: «{word:43}a»'],
    clean: ['IBMCLOUD_API_KEY={alnum:30}'],
  },
  'iconfinder-api-key': {
    secret: ["    'iconfinder_api_key' => '«{alnum:64}»',"],
    clean: ['iconfinder_api_key: {alnum:40}'],
  },
  'iex-cloud-api-key': {
    secret: ['<add key="iex_token" value="«pk_{hex:32}»" />', 'IEX_TOKEN=«Tsk_{hex:32}»'],
    clean: ['IEX_TOKEN=pk_{hex:20}', 'iex_token: <your key here>'],
  },
  'iex-cloud-secret-token': {
    secret: ['curl -u «sk_{hex:32}»: https://api.example.com'],
    clean: ['api_token: sk_{hex:24}', 'API_TOKEN=task_{hex:32}'],
  },
  'imagekit-api-key': {
    secret: ['"IMAGEKIT_PRIVATE_KEY=«private_{base64:26}a=»",'],
    clean: [
      'IMAGEKIT_PRIVATE_KEY=private_{alnum:27}',
      'imagekit_private_key: private_methods_are_not_allowed',
    ],
  },
  'imagga-api-key': {
    secret: ['set -x IMAGGA_API_SECRET «{hex:32}»', "const imagga_api_secret = '«{alnum:70}==»'"],
    clean: ['imagga_api_secret: {hex:24}', 'imagga_api_secret = os.environ["IMAGGA_API_SECRET"]'],
  },
  'impala-api-key': { secret: ['ENV IMPALA_API_KEY «{alnum:46}»'], clean: ['IMPALA_API_KEY={alnum:40}'] },
  'infisical-service-token': {
    secret: ['INFISICAL_TOKEN=«st.{hex:24}.{hex:32}.{hex:32}»'],
    clean: ['infisical_token: st.{hex:24}.{hex:32}'],
  },
  'influxdb-api-token': {
    secret: ['"influx_token": "«{word:86}==»",'],
    clean: ['INFLUX_TOKEN={word:60}==', 'INFLUX_TOKEN=${INFLUX_TOKEN}'],
  },
  'influxdb-v3-token': {
    secret: ['{"token":"«apiv3_{word:85}a»","ttl":60}'],
    clean: ['influxdb3_auth_token: apiv3_endpoint_url'],
  },
  'infomaniak-api-token': {
    secret: ["const infomaniak_access_token = '«{word:85}a»'"],
    clean: ['INFOMANIAK_ACCESS_TOKEN={alnum:40}'],
  },
  'infracost-api-token': {
    secret: ['<token>«ico-{alnum:32}»</token>'],
    clean: ['infracost_api_key: ico-{alnum:12}'],
  },
  'infura-api-key': { secret: ['infura_api_key = "«{hex:32}»"'], clean: ['INFURA_API_KEY={hex:24}'] },
  'infura-endpoint-url': {
    secret: ['https://mainnet.infura.io/v3/«{hex:32}»', 'wss://sepolia.infura.io/ws/v3/«{hex:32}»'],
    clean: ['https://mainnet.infura.io/v3/YOUR-PROJECT-ID'],
  },
  'inngest-signing-key': {
    secret: ['error: 401 for key «signkey-prod-{hex:64}», giving up'],
    clean: ['INNGEST_SIGNING_KEY=signkey-prod-{hex:12}'],
  },
  'insightly-api-key': {
    secret: ["    'insightly_api_key' => '«{uuid}»',"],
    clean: ['insightly_api_key: {hex:20}'],
  },
  'instabot-api-key': {
    secret: ['<add key="instabot_api_key" value="«{base64:43}=»" />'],
    clean: ['INSTABOT_API_KEY={alnum:30}='],
  },
  'instagram-access-token': {
    secret: ['curl -u «IGQV{word:160}a»: https://api.example.com'],
    clean: ['instagram_access_token: IGQV{alnum:30}'],
  },
  'intercom-access-token': {
    secret: ['"INTERCOM_ACCESS_TOKEN=«dG9rO{alnum:54}=»",'],
    clean: ['INTERCOM_ACCESS_TOKEN=dG9rO{alnum:20}'],
  },
  'intercom-api-key': {
    secret: ['set -x INTERCOM_API_KEY «{word:59}a»'],
    clean: ['intercom_api_key: {alnum:40}'],
  },
  'interseller-api-key': {
    secret: ['ENV INTERSELLER_API_KEY «{alnum:40}»'],
    clean: ['INTERSELLER_API_KEY={alnum:16}', 'interseller_api_key = os.environ["INTERSELLER_API_KEY"]'],
  },
  'intra42-client-secret': {
    secret: ['FT_CLIENT_SECRET=«s-s4t2ud-{hex:64}»'],
    clean: ['ft_client_secret: s-s4t2ud-{hex:32}'],
  },
  'intrinio-api-key': {
    secret: ['"intrinio_api_key": "«{alnum:44}»",'],
    clean: ['INTRINIO_API_KEY={alnum:40}'],
  },
  'ionic-api-token': {
    secret: ['{"token":"«ion_{alnum:42}»","ttl":60}'],
    clean: ['ionic_token: ion_{alnum:20}'],
  },
  'ip2location-api-key': {
    secret: ["const ip2location_api_key = '«{HEX:32}»'"],
    clean: ['IP2LOCATION_API_KEY={HEX:24}'],
  },
  'ipapi-api-key': {
    secret: ['export IPAPI_ACCESS_KEY="«{hex:32}»"'],
    clean: ['ipapi_access_key: {hex:24}'],
  },
  'ipgeolocation-api-key': {
    secret: ['ipgeolocation_api_key = "«{hex:32}»"'],
    clean: ['IPGEOLOCATION_API_KEY={hex:24}', 'see IPGEOLOCATION_API_KEY in the manual'],
  },
  'ipinfo-api-key': {
    secret: ['docker run -e IPINFO_TOKEN=«{hex:14}» acme/app'],
    clean: ['ipinfo_token: {hex:12}'],
  },
  'ipinfodb-api-key': {
    secret: ['- name: IPINFODB_KEY\n  value: «{hex:64}»'],
    clean: ['IPINFODB_KEY={hex:40}'],
  },
  'ipqualityscore-api-key': {
    secret: ["    'ipqs_api_key' => '«{alnum:32}»',"],
    clean: ['ipqs_api_key: {alnum:24}', 'IPQS_API_KEY='],
  },
  'ipstack-api-key': {
    secret: ['<add key="ipstack_access_key" value="«{hex:32}»" />'],
    clean: ['IPSTACK_ACCESS_KEY={hex:24}'],
  },
  'jenkins-token-or-crumb': {
    secret: ['Jenkins-Crumb: «{hex:64}»', 'curl -H "Jenkins-Crumb: «11{hex:32}»" https://api.example.com'],
    clean: ['Jenkins-Crumb: {hex:20}'],
  },
  'jfrog-api-key': {
    secret: ["os.environ['ARTIFACTORY_API_KEY'] = '«AKCp{alnum:69}»'"],
    clean: ['ARTIFACTORY_API_KEY={alnum:60}', 'artifactory_api_key: <your key here>'],
  },
  'jfrog-identity-token': {
    secret: ['set -x JFROG_IDENTITY_TOKEN «{alnum:64}»'],
    clean: ['jfrog_identity_token: {alnum:50}'],
  },
  'jfrog-reference-token': {
    secret: ['auth_token = "«cmVmdGtu{alnum:56}»"'],
    clean: ['JF_ACCESS_TOKEN=cmVmdGtu{alnum:20}'],
  },
  'jina-api-key': {
    secret: ['JINA_API_KEY=«jina_{hex:32}{word:27}a»'],
    clean: ['jina_api_key: jina_embeddings_v3_base'],
  },
  'jira-token': {
    secret: ['"jira_api_token": "«{alnum:24}»",', 'docker run -e JIRA_API_TOKEN=«N{base64:42}a» acme/app'],
    clean: ['JIRA_API_TOKEN={alnum:20}'],
  },
  'jotform-api-key': { secret: ['jotform_api_key: «{hex:32}»'], clean: ['jotform_api_key: {hex:24}'] },
  'jumpcloud-api-key': {
    secret: ["const jumpcloud_api_key = '«{hex:40}»'", "    'jumpcloud_api_key' => '«jca_{alnum:36}»',"],
    clean: ['JUMPCLOUD_API_KEY={hex:32}', 'JUMPCLOUD_API_KEY=${JUMPCLOUD_API_KEY}'],
  },
  'jupiterone-api-key': {
    secret: ['export JUPITERONE_API_KEY="«{alnum:76}»"'],
    clean: ['jupiterone_api_key: {alnum:60}'],
  },
  'juro-api-key': { secret: ['juro_api_key = "«{alnum:40}»"'], clean: ['JURO_API_KEY={alnum:32}'] },
}
