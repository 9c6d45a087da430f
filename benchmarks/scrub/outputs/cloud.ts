/** Output of cloud and infrastructure tools. «a secret», ‹a look-alike that must not be masked›. */
export const cloudOutputs: Readonly<Record<string, string>> = {
  'terraform-plan': String.raw`Terraform will perform the following actions:

  # aws_db_instance.main will be created
  + resource "aws_db_instance" "main" {
      + arn                 = (known after apply)
      + identifier          = "shop"
      + password            = "«{password}»"
      + snapshot_identifier = "‹rds:shop-2026-01-02-{digits:4}›"
    }

  # aws_instance.web must be replaced
-/+ resource "aws_instance" "web" {
      ~ ami           = "‹ami-{hex:17}›" -> "‹ami-{hex:17}›"
      ~ id            = "‹i-{hex:17}›" -> (known after apply)
      ~ user_data     = "‹{hex:40}›" -> "‹{hex:40}›"
      ~ vpc_security_group_ids = ["‹sg-{hex:17}›"]
      + tags          = { "token" = "«{alnum:40}»" }
    }

Plan: 2 to add, 0 to change, 1 to destroy.
`,
  'terraform-state': String.raw`{
  "version": 4,
  "terraform_version": "1.7.5",
  "serial": 42,
  "lineage": "‹{uuid}›",
  "outputs": { "db_password": { "value": "«{alnum:20}»", "type": "string", "sensitive": true } },
  "resources": [
    {
      "mode": "managed",
      "type": "random_password",
      "instances": [{ "attributes": { "bcrypt_hash": "«$2a$10{[$]:1}{alnum:53}»", "id": "none", "length": 24, "result": "«{alnum:24}»" } }]
    },
    {
      "type": "aws_iam_access_key",
      "instances": [{ "attributes": { "id": "«AKIA{base32:16}»", "secret": "«{base64:40}»", "ses_smtp_password_v4": "«{base64:44}»", "user": "ci" } }]
    },
    {
      "type": "aws_vpc",
      "instances": [{ "attributes": { "arn": "‹arn:aws:ec2:eu-central-1:{digits:12}:vpc/vpc-{hex:17}›", "id": "‹vpc-{hex:17}›" } }]
    }
  ]
}
`,
  'terraform-show': String.raw`# tls_private_key.ca:
resource "tls_private_key" "ca" {
    id                            = "‹{hex:40}›"
    public_key_fingerprint_sha256 = "‹SHA256:{base64:43}›"
    public_key_openssh            = "ssh-ed25519 ‹AAAAC3NzaC1lZDI1NTE5AAAAI{base64:43}›"
}

# vault_generic_secret.app:
resource "vault_generic_secret" "app" {
    data_json = jsonencode(
        {
            api_key  = "«{hex:32}»"
            password = "«{password}»"
        }
    )
    path = "secret/app"
}

Outputs:

connection = "postgresql://app:«{alnum:20}»@10.0.0.4:5432/shop"
`,
  'aws-sts': String.raw`{
    "Credentials": {
        "AccessKeyId": "«ASIA{base32:16}»",
        "SecretAccessKey": "«{base64:40}»",
        "SessionToken": "«IQoJb3JpZ2luX2Vj{base64:380}=»",
        "Expiration": "2026-01-02T04:04:05+00:00"
    },
    "AssumedRoleUser": {
        "AssumedRoleId": "‹AROA{base32:17}:ci›",
        "Arn": "‹arn:aws:sts::{digits:12}:assumed-role/ci/ci›"
    }
}
`,
  'aws-configure-list': String.raw`      Name                    Value             Type    Location
      ----                    -----             ----    --------
   profile                <not set>             None    None
access_key     ****************‹{base32:4}› shared-credentials-file
secret_key     ****************‹{alnum:4}› shared-credentials-file
    region             eu-central-1      config-file    ~/.aws/config
`,
  'aws-iam-create-access-key': String.raw`{
    "AccessKey": {
        "UserName": "ci",
        "AccessKeyId": "«AKIA{base32:16}»",
        "Status": "Active",
        "SecretAccessKey": "«{base64:40}»",
        "CreateDate": "2026-01-02T03:04:05+00:00"
    }
}
{
    "User": { "UserId": "‹AIDA{base32:17}›", "Arn": "‹arn:aws:iam::{digits:12}:user/ci›" }
}
`,
  'aws-ssm': String.raw`{
    "Parameter": {
        "Name": "/prod/db/password",
        "Type": "SecureString",
        "Value": "«{password}»",
        "Version": 7,
        "LastModifiedDate": "2026-01-02T03:04:05.678000+00:00",
        "ARN": "‹arn:aws:ssm:eu-central-1:{digits:12}:parameter/prod/db/password›"
    }
}
`,
  'aws-secretsmanager': String.raw`{
    "ARN": "‹arn:aws:secretsmanager:eu-central-1:{digits:12}:secret:prod/db-{alnum:6}›",
    "Name": "prod/db",
    "VersionId": "‹{uuid}›",
    "SecretString": "{\"username\":\"app\",\"password\":\"«{alnum:32}»\",\"host\":\"db.internal\"}",
    "VersionStages": ["AWSCURRENT"]
}
`,
  'aws-describe-instances': String.raw`{
    "Reservations": [{
        "ReservationId": "‹r-{hex:17}›",
        "Instances": [{
            "InstanceId": "‹i-{hex:17}›", "ImageId": "‹ami-{hex:17}›", "KeyName": "‹prod-key-2026›",
            "SubnetId": "‹subnet-{hex:17}›", "VpcId": "‹vpc-{hex:17}›",
            "ClientToken": "{uuid}",
            "NetworkInterfaces": [{ "NetworkInterfaceId": "‹eni-{hex:17}›", "MacAddress": "‹0a:{hex:2}:{hex:2}:12:34:{hex:2}›" }]
        }]
    }]
}
`,
  'gcloud-auth': String.raw`ACTIVE  ACCOUNT
*       ann@acme.io

$ gcloud auth print-access-token
«ya29.a0{word:180}»
$ gcloud projects describe acme
projectId: ‹acme-{digits:6}›
projectNumber: ‹'{digits:12}'›
`,
  'gcloud-service-account': String.raw`{
  "type": "service_account",
  "project_id": "acme-{digits:6}",
  "private_key_id": "{hex:40}",
  "private_key": "{pem}",
  "client_email": "ci@acme.iam.gserviceaccount.com",
  "client_id": "‹{digits:21}›",
  "token_uri": "https://oauth2.googleapis.com/token"
}
`,
  'gcloud-adc': String.raw`{
  "account": "",
  "client_id": "‹764086051850-6qr4p6gpi6hn506pt8ejuq83di341hur.apps.googleusercontent.com›",
  "client_secret": "«GOCSPX-{word:28}»",
  "refresh_token": "«1//0{word:60}»",
  "type": "authorized_user"
}
`,
  'az-ad-sp': String.raw`{
  "appId": "‹{uuid}›",
  "displayName": "ci",
  "password": "«{alnum:3}8Q~{alnum:34}»",
  "tenant": "‹{uuid}›"
}
`,
  'az-storage-keys': String.raw`[
  {
    "creationTime": "2026-01-02T03:04:05.678901+00:00",
    "keyName": "key1",
    "permissions": "FULL",
    "value": "«{base64:86}==»"
  }
]
{
  "connectionString": "DefaultEndpointsProtocol=https;EndpointSuffix=core.windows.net;AccountName=acme;AccountKey=«{base64:86}==»",
  "etag": "‹W/\"{uuid}\"›",
  "id": "‹/subscriptions/{uuid}/resourceGroups/rg/providers/Microsoft.Storage›"
}
`,
  'heroku-config': String.raw`=== acme-shop Config Vars

DATABASE_URL:      postgres://{lower:14}:«{hex:64}»@ec2-1-2-3-4.eu-west-1.compute.amazonaws.com:5432/{lower:14}
MAILGUN_API_KEY:   «key-{hex:32}»
RAILS_MASTER_KEY:  «{hex:32}»
SECRET_KEY_BASE:   «{hex:128}»
HEROKU_SLUG_COMMIT: ‹{hex:40}›
LANG:              en_US.UTF-8
`,
  'vault-read': String.raw`Key                 Value
---                 -----
lease_id            ‹database/creds/app/{alnum:24}›
lease_duration      1h
lease_renewable     true
password            «A1a-{alnum:16}»
username            ‹v-token-app-{alnum:20}›
`,
  'vault-login': String.raw`Success! You are now authenticated.

Key                  Value
---                  -----
token                «hvs.{word:95}»
token_accessor       {alnum:24}
token_duration       768h
token_policies       ["default"]
`,
  'vault-init': String.raw`Unseal Key 1: «{base64:43}=»
Unseal Key 2: «{base64:43}=»

Initial Root Token: «hvs.{alnum:24}»

Vault initialized with 2 key shares and a key threshold of 2.
Cluster ID: ‹{uuid}›
`,
  'ansible-inventory': String.raw`[web]
web-1 ansible_host=10.0.0.4 ansible_user=root ansible_ssh_pass=«{alnum:14}» ansible_become_pass=«{alnum:14}»
web-2 ansible_host=10.0.0.5 ansible_ssh_private_key_file=‹~/.ssh/id_ed25519›

[web:vars]
mysql_root_password=«{alnum:20}»
release_sha=‹{hex:40}›
`,
  'pulumi-config': String.raw`KEY                  VALUE
aws:region           eu-central-1
shop:dbPassword      «{alnum:20}»
shop:githubToken     «ghp_{alnum:36}»
shop:imageDigest     ‹sha256:{hex:64}›
`,
  'cloudformation-events': String.raw`{
    "StackEvents": [
        { "StackId": "‹arn:aws:cloudformation:eu-central-1:{digits:12}:stack/shop/{uuid}›", "EventId": "‹{uuid}›",
          "ClientRequestToken": "‹Console-CreateStack-{uuid}›", "LogicalResourceId": "Db",
          "PhysicalResourceId": "‹shop-db-{lower:12}›",
          "ResourceProperties": "{\"MasterUserPassword\":\"«{alnum:20}»\",\"Engine\":\"postgres\"}" }
    ]
}
`,
}
