import type { FailureType } from '../../internal/failure-types.ts';
import { tokenTable } from './token-table.ts';

/** Words by which services name an error: gRPC, GraphQL, Kubernetes, AWS, the APIs of models, OAuth, Slack. */
export const STATUS_TOKENS: ReadonlyMap<string, FailureType> = tokenTable({
  timeout: `DEADLINE_EXCEEDED DeadlineExceeded RequestTimeout RequestTimeoutException GATEWAY_TIMEOUT
    timeout_error StatementTimeout QUERY_TIMEOUT`,
  not_found: `NOT_FOUND NotFound not_found_error NoSuchKey NoSuchBucket NoSuchEntity
    NoSuchEntityException NoSuchUpload ResourceNotFound ResourceNotFoundException NotFoundException
    model_not_found resource_missing channel_not_found user_not_found file_not_found
    RepositoryNotFoundException StackNotFoundException`,
  unknown_tool: `unknown_tool tool_not_found TOOL_NOT_FOUND`,
  edit_mismatch: `edit_no_occurrence_found edit_expected_occurrence_mismatch`,
  permission: `PERMISSION_DENIED PermissionDenied Forbidden FORBIDDEN AccessDenied AccessDeniedException
    UnauthorizedOperation permission_error insufficient_scope insufficient_permissions missing_scope
    InsufficientPrivilege OptInRequired`,
  auth: `UNAUTHENTICATED Unauthenticated Unauthorized UNAUTHORIZED ExpiredToken ExpiredTokenException
    InvalidClientTokenId UnrecognizedClientException SignatureDoesNotMatch AuthFailure
    InvalidAccessKeyId MissingAuthenticationToken authentication_error invalid_api_key invalid_auth
    not_authed token_expired token_revoked account_inactive invalid_grant invalid_token invalid_client
    bad_credentials AUTH_ERROR AUTHENTICATION_ERROR NoCredentialsError NotAuthorizedException
    InvalidIdentityToken expired_token`,
  syntax: `PARSE_ERROR GRAPHQL_PARSE_FAILED ParseError parse_error INVALID_JSON invalid_json`,
  invalid_args: `INVALID_ARGUMENT InvalidArgument FAILED_PRECONDITION OUT_OF_RANGE BAD_USER_INPUT
    GRAPHQL_VALIDATION_FAILED VALIDATION_ERROR validation_error validation_failed VALIDATION_FAILED
    invalid_request_error invalid_request INVALID_REQUEST ValidationException InvalidParameterValue
    InvalidParameterException MissingParameter MalformedPolicyDocument BAD_REQUEST BadRequest
    InvalidRequest InvalidInput invalid_params INVALID_PARAMS invalid_arguments invalid_tool_params
    unsupported_parameter missing_required_parameter UNIMPLEMENTED INVALID_INPUT`,
  network: `DNS_PROBE_FINISHED_NXDOMAIN NXDOMAIN SERVFAIL ImagePullBackOff ErrImagePull`,
  server_error: `UNAVAILABLE ServiceUnavailable SERVICE_UNAVAILABLE ServiceUnavailableException
    InternalServerError INTERNAL_SERVER_ERROR InternalError INTERNAL_ERROR internal_error
    InternalFailure INTERNAL InternalServerException overloaded_error api_error server_error
    BadGateway bad_gateway DATA_LOSS`,
  resource: `insufficient_quota QuotaExceeded QUOTA_EXCEEDED quota_exceeded LimitExceededException
    OOMKilled billing_hard_limit_reached billing_error InsufficientInstanceCapacity
    ServiceQuotaExceededException credit_balance_too_low LimitExceeded`,
  rate_limit: `RESOURCE_EXHAUSTED rate_limit_error rate_limit_exceeded RATE_LIMITED RATE_LIMIT_EXCEEDED
    Throttling ThrottlingException ThrottledException TooManyRequests TooManyRequestsException
    toomanyrequests RequestLimitExceeded ratelimited rate_limited SlowDown
    ProvisionedThroughputExceededException TOO_MANY_REQUESTS too_many_requests`,
  too_large: `PAYLOAD_TOO_LARGE RequestEntityTooLarge EntityTooLarge request_too_large
    context_length_exceeded string_above_max_length MESSAGE_TOO_LARGE msg_too_long`,
  conflict: `ALREADY_EXISTS AlreadyExists AlreadyExistsException Conflict CONFLICT ABORTED
    ResourceInUseException ResourceAlreadyExistsException BucketAlreadyExists BucketAlreadyOwnedByYou
    ConditionalCheckFailedException OperationAborted PreconditionFailed name_taken already_exists
    EntityAlreadyExists E11000`,
});
