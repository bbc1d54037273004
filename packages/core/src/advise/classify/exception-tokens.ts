import type { FailureType } from '../../internal/failure-types.ts';
import { tokenTable } from './token-table.ts';

/**
 * Classes of exceptions that say what happened. Those that only say that something did (`TypeError`,
 * `RuntimeError`, `KeyError`) are missing on purpose: they would hide what the message says.
 */
export const EXCEPTION_TOKENS: ReadonlyMap<string, FailureType> = tokenTable({
  timeout: `TimeoutError ReadTimeout ConnectTimeout WriteTimeout PoolTimeout ReadTimeoutError
    ConnectTimeoutError TimeoutException TimeoutExpired SocketTimeoutException HttpTimeoutException
    AsyncTimeoutError APITimeoutError APIConnectionTimeoutError HeadersTimeoutError BodyTimeoutError
    ToolTimeoutError ServerTimeoutError ConnectionTimeoutError QueryTimeoutException LockWaitTimeout
    ServerSelectionTimeoutError TaskCanceledException`,
  interactive: `EOFError`,
  not_found: `FileNotFoundError NotADirectoryError NoSuchFileException FileNotFoundException
    DirectoryNotFoundException NotFoundError NoSuchTableError UndefinedTable NoSuchElementError
    ProcessLookupError DoesNotExist ItemNotFoundException PathNotFound ObjectNotFound
    CommandNotFoundException UnknownRevisionError`,
  unknown_tool: `NoSuchToolError ToolNotFoundError UnknownToolError`,
  permission: `PermissionError UnauthorizedAccessException AccessControlException SecurityException
    PermissionDeniedError ForbiddenError`,
  auth: `AuthenticationError AuthenticationException UnauthorizedError NotAuthenticated
    AuthenticationFailed CredentialsError DefaultCredentialsError RefreshError LoginError`,
  syntax: `SyntaxError IndentationError TabError ScannerError ParserError YAMLException YAMLParseError
    YAMLSyntaxError XMLSyntaxError TOMLDecodeError TomlDecodeError ParserErrorException
    TemplateSyntaxError ParseException UnexpectedToken SyntaxErrorException`,
  invalid_args: `IsADirectoryError ZodError InputValidationError InvalidToolInputError
    ToolInputValidationError ValidationError UsageError BadRequestError BadParameter ArgumentTypeError
    IllegalArgumentException ArgumentNullException ParameterBindingException NoSuchOption
    ParamValidationError InvalidOptionError InvalidArgumentError UnprocessableEntityError`,
  network: `ConnectionError ConnectionRefusedError ConnectionResetError ConnectionAbortedError
    NameResolutionError NewConnectionError gaierror SSLError SSLCertVerificationError ProxyError
    MaxRetryError UnknownHostException ConnectException NoRouteToHostException SSLHandshakeException
    SocketException APIConnectionError MongoServerSelectionError MongoNetworkError ConnectError
    ReadError RemoteProtocolError ChunkedEncodingError RemoteDisconnected IncompleteRead
    ClientConnectorError ClientConnectionError NetworkError EndpointConnectionError BrokenPipeError
    HttpHostConnectException ClosedChannelException SocketError`,
  server_error: `InternalServerErrorException ServerError OverloadedError HTTPServerError`,
  resource: `MemoryError OutOfMemoryError OutOfMemoryException CUDAOutOfMemoryError DiskFullError
    InsufficientMemoryException`,
  rate_limit: `RateLimitError RateLimitExceededException TooManyRequestsError RateLimitExceeded
    ThrottlingError`,
  too_large: `ContextWindowExceededError PayloadTooLargeError RequestEntityTooLargeError`,
  dependency: `ModuleNotFoundError ImportError ClassNotFoundException NoClassDefFoundError
    DistributionNotFound PackageNotFoundError ResolutionImpossible LoadError
    DependencyResolutionError UnsatisfiedLinkError PackagesNotFoundError VersionConflict
    GemNotFound ResolvePackageNotFound`,
  conflict: `FileExistsError FileAlreadyExistsException DuplicateKeyError UniqueViolation
    IntegrityError ConflictError AlreadyExistsError DuplicateTable BulkWriteError LockedError
    BlockingIOError OptimisticLockException`,
  cancelled: `KeyboardInterrupt`,
  check_failed: `AssertionError`,
});
